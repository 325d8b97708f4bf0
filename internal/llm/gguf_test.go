package llm_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
)

// gguf writes a file of weights as llama.cpp reads them: names with values, then tensors, aligned to 32 bytes.
type gguf struct {
	head, data bytes.Buffer
	fields     uint64
	tensors    []ggufTensor
}

type ggufTensor struct {
	name   string
	dims   []uint64
	offset uint64
}

// Types of values in a GGUF file.
const (
	ggufUint32 = 4
	ggufInt32  = 5
	ggufFloat  = 6
	ggufBool   = 7
	ggufString = 8
	ggufArray  = 9
)

func put(b *bytes.Buffer, values ...any) {
	for _, v := range values {
		if s, ok := v.(string); ok {
			put(b, uint64(len(s)), []byte(s))
			continue
		}
		_ = binary.Write(b, binary.LittleEndian, v) // a buffer takes everything
	}
}

func (g *gguf) field(name string, kind uint32, values ...any) {
	g.fields++
	put(&g.head, name, kind)
	put(&g.head, values...)
}

// random adds a tensor of small random numbers; around moves them.
func (g *gguf) random(r *rand.Rand, name string, around, spread float64, dims ...uint64) {
	g.tensors = append(g.tensors, ggufTensor{name, dims, uint64(g.data.Len())})
	n := uint64(1)
	for _, d := range dims {
		n *= d
	}
	for range n {
		put(&g.data, float32(around+spread*r.NormFloat64()))
	}
	for g.data.Len()%32 != 0 {
		g.data.WriteByte(0)
	}
}

func (g *gguf) bytes() []byte {
	var out bytes.Buffer
	put(&out, []byte("GGUF"), uint32(3), uint64(len(g.tensors)), g.fields, g.head.Bytes())
	for _, t := range g.tensors {
		put(&out, t.name, uint32(len(t.dims)))
		for _, d := range t.dims {
			put(&out, d)
		}
		put(&out, uint32(0), t.offset) // 32 bit floats
	}
	for out.Len()%32 != 0 {
		out.WriteByte(0)
	}
	out.Write(g.data.Bytes())
	return out.Bytes()
}

// tinyModel writes a language model of two layers whose weights are random: it has nothing to say, but all that a server does with a
// model is real. Its tokens are the bytes and the printable characters.
func tinyModel(t *testing.T, path string, seed uint64) {
	t.Helper()
	const width, inner, heads, layers, context = 32, 64, 2, 2, 8192
	g, r := &gguf{}, rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // weights
	tokens, kinds := []string{"<unk>", "<s>", "</s>"}, []int32{2, 3, 3}
	for b := range 256 {
		tokens, kinds = append(tokens, fmt.Sprintf("<0x%02X>", b)), append(kinds, 6)
	}
	for c := '!'; c <= '~'; c++ {
		tokens, kinds = append(tokens, string(c)), append(kinds, 1)
	}
	tokens, kinds = append(tokens, "\u2581"), append(kinds, 1) // the space
	g.field("general.architecture", ggufString, "llama")
	g.field("general.name", ggufString, "tiny")
	for name, n := range map[string]uint32{"context_length": context, "embedding_length": width, "block_count": layers,
		"feed_forward_length": inner, "attention.head_count": heads, "attention.head_count_kv": heads,
		"rope.dimension_count": width / heads,
		"vocab_size":           uint32(len(tokens))} { //nolint:gosec // a few hundred
		g.field("llama."+name, ggufUint32, n)
	}
	g.field("llama.attention.layer_norm_rms_epsilon", ggufFloat, float32(1e-5))
	g.field("tokenizer.ggml.model", ggufString, "llama")
	texts, scores, types := []any{uint32(ggufString), uint64(len(tokens))}, []any{uint32(ggufFloat), uint64(len(tokens))},
		[]any{uint32(ggufInt32), uint64(len(tokens))}
	for i, token := range tokens {
		texts, scores, types = append(texts, token), append(scores, float32(-i)), append(types, kinds[i])
	}
	g.field("tokenizer.ggml.tokens", ggufArray, texts...)
	g.field("tokenizer.ggml.scores", ggufArray, scores...)
	g.field("tokenizer.ggml.token_type", ggufArray, types...)
	for name, id := range map[string]uint32{"unknown": 0, "bos": 1, "eos": 2} {
		g.field("tokenizer.ggml."+name+"_token_id", ggufUint32, id)
	}
	g.field("tokenizer.ggml.add_bos_token", ggufBool, true)
	g.field("tokenizer.chat_template", ggufString,
		"{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}{% if add_generation_prompt %}assistant: {% endif %}")
	vocabulary := uint64(len(tokens))
	g.random(r, "token_embd.weight", 0, 1, width, vocabulary)
	for i := range layers {
		at := fmt.Sprintf("blk.%d.", i)
		g.random(r, at+"attn_norm.weight", 1, 0.1, width)
		for _, part := range []string{"q", "k", "v", "output"} {
			g.random(r, at+"attn_"+part+".weight", 0, 0.3, width, width)
		}
		g.random(r, at+"ffn_norm.weight", 1, 0.1, width)
		g.random(r, at+"ffn_gate.weight", 0, 0.3, width, inner)
		g.random(r, at+"ffn_up.weight", 0, 0.3, width, inner)
		g.random(r, at+"ffn_down.weight", 0, 0.3, inner, width)
	}
	g.random(r, "output_norm.weight", 1, 0.1, width)
	g.random(r, "output.weight", 0, 0.3, width, vocabulary)
	if err := os.WriteFile(path, g.bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}
