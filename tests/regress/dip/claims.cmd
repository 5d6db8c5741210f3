verify {file} --claim 'm = {epsilon = "1", delta = "1/1000000", values = [0, 1]}' --claim 'm = {epsilon = "3/4", delta = 0}'
