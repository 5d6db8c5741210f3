# docker build -t couplet . && docker run --rm -v "$PWD:/work" couplet verify mechanisms/*.dp
FROM debian:12-slim AS build
WORKDIR /src
COPY scripts/setup.sh scripts/
RUN scripts/setup.sh build
COPY . .
RUN cmake --preset release && cmake --build build --target couplet couplet-check couplet-recount couplet_core couplet_shared completions \
 && scripts/release.sh build /out && mkdir /couplet && tar -C /couplet --strip-components=1 -xzf /out/couplet-*.tar.gz

FROM debian:12-slim
# The reader of Python and C files is a Python program.
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends python3 && rm -rf /var/lib/apt/lists/*
COPY --from=build /couplet /usr/local
RUN useradd --create-home couplet
USER couplet
WORKDIR /work
ENTRYPOINT ["couplet"]
CMD ["--help"]
