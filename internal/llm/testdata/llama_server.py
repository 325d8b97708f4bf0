"""llama.cpp's own HTTP server, from the package xllamacpp, over one model: PATH PORT [embed]. It ends with its standard input."""
import sys

import xllamacpp

p = xllamacpp.CommonParams()
p.model.path, p.port = sys.argv[1], int(sys.argv[2])
p.n_ctx, p.n_parallel, p.warmup = 4096, 1, False
p.cpuparams.n_threads = p.cpuparams_batch.n_threads = 1
if sys.argv[3:] == ["embed"]:
    p.embedding = True
    p.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
server = xllamacpp.Server(p)
print("listening", server.listening_address, flush=True)
sys.stdin.read()
