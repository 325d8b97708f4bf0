# One static program in an otherwise empty image. Build: docker build --build-arg VERSION=$(git describe --tags --always) .
# PDF files are read with pdftotext, which is not in the image: convert them first, or base the last stage on an image that has it.

FROM node:22-bookworm-slim AS pages
WORKDIR /src/frontend
COPY frontend/package.json frontend/package-lock.json frontend/.npmrc ./
RUN npm ci --ignore-scripts
COPY frontend ./
RUN npm run build

FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
COPY third_party ./third_party
RUN go mod download
COPY . .
COPY --from=pages /src/frontend/dist ./frontend/dist
ARG VERSION=dev
RUN CGO_ENABLED=0 go build -trimpath -tags nomsgpack -ldflags "-s -w -X main.version=${VERSION}" -o /out/workbench ./cmd/workbench \
    && mkdir -p /out/data /out/tmp

FROM scratch
# Roots of trust for model endpoints. Time zones are in the program.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY LICENSE NOTICE THIRD_PARTY_NOTICES.md /usr/share/doc/workbench/
COPY --from=build --chown=65532:65532 /out/tmp /tmp
COPY --from=build --chown=65532:65532 /out/data /data
COPY --from=build /out/workbench /usr/local/bin/workbench
USER 65532:65532
VOLUME /data
ENV WORKBENCH_DATA=/data
ENTRYPOINT ["/usr/local/bin/workbench"]
CMD ["--help"]
