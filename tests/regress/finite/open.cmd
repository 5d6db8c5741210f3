verify {file} --no-search
