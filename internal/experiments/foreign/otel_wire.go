package foreign

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strconv"

	commonpb "go.opentelemetry.io/proto/slim/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/slim/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// otelBinary reports whether the ending of a file says OTLP in protobuf.
func otelBinary(ext string) bool { return ext == ".pb" || ext == ".binpb" || ext == ".otlp" }

// readBinary reads requests of OTLP in protobuf: one as an exporter sends it, or many, each behind its length in four bytes, as the
// collector's file exporter writes them. They become the objects that OTLP/JSON has, so that one reader stands behind both.
func (f *foreignFile) readBinary(raw []byte) error {
	f.unit = "request"
	for len(raw) > 0 {
		one, rest := raw, []byte(nil)
		if raw[0] == 0 { // no field has the number 0: it is a length
			if len(raw) < 4 || int64(binary.BigEndian.Uint32(raw)) > int64(len(raw)-4) {
				return f.noBinary(len(f.rows)+1, errors.New("it ends in the middle"))
			}
			end := 4 + int(binary.BigEndian.Uint32(raw))
			one, rest = raw[4:end], raw[end:]
		}
		request, err := otelRequest(one)
		if err != nil {
			return f.noBinary(len(f.rows)+1, err)
		}
		f.rows, f.numbers = append(f.rows, request), append(f.numbers, len(f.rows)+1)
		raw = rest
	}
	if len(f.rows) == 0 {
		return f.noBinary(1, errors.New("it is empty"))
	}
	return nil
}

func (f *foreignFile) noBinary(n int, why error) error {
	return f.refuse("results_protobuf", "request %d is no ExportTraceServiceRequest of OTLP: %v", n, why).With("row", n).
		WithHint("export traces in protobuf without compression, or as OTLP/JSON with the ending .json or .jsonl")
}

// otelRequest is an ExportTraceServiceRequest as OTLP/JSON has it.
func otelRequest(raw []byte) (map[string]any, error) {
	var request tracepb.TracesData // the same fields under the same numbers
	if err := proto.Unmarshal(raw, &request); err != nil {
		return nil, errors.New("its bytes do not fit")
	}
	return map[string]any{"resourceSpans": mapped(request.GetResourceSpans(), func(r *tracepb.ResourceSpans) any {
		return map[string]any{"scopeSpans": mapped(r.GetScopeSpans(), func(g *tracepb.ScopeSpans) any {
			return map[string]any{"spans": mapped(g.GetSpans(), otelSpanObject)}
		})}
	})}, nil
}

func otelSpanObject(s *tracepb.Span) any {
	return map[string]any{
		"traceId": hex.EncodeToString(s.GetTraceId()), "spanId": hex.EncodeToString(s.GetSpanId()),
		"parentSpanId":      hex.EncodeToString(s.GetParentSpanId()),
		"startTimeUnixNano": unsigned(s.GetStartTimeUnixNano()), "endTimeUnixNano": unsigned(s.GetEndTimeUnixNano()),
		"attributes": otelKeyValues(s.GetAttributes()),
		"status":     map[string]any{"code": int(s.GetStatus().GetCode()), "message": s.GetStatus().GetMessage()},
		"events": mapped(s.GetEvents(), func(e *tracepb.Span_Event) any {
			return map[string]any{"name": e.GetName(), "attributes": otelKeyValues(e.GetAttributes())}
		}),
	}
}

func unsigned(n uint64) json.Number { return json.Number(strconv.FormatUint(n, 10)) }

func otelKeyValues(list []*commonpb.KeyValue) []any {
	return mapped(list, func(kv *commonpb.KeyValue) any {
		return map[string]any{"key": kv.GetKey(), "value": otelAnyValue(kv.GetValue())}
	})
}

// otelAnyValue is a value of OTLP as its JSON has it; bytes are nothing that is read.
func otelAnyValue(v *commonpb.AnyValue) any {
	switch v := v.GetValue().(type) {
	case *commonpb.AnyValue_StringValue:
		return map[string]any{"stringValue": v.StringValue}
	case *commonpb.AnyValue_BoolValue:
		return map[string]any{"boolValue": v.BoolValue}
	case *commonpb.AnyValue_IntValue:
		return map[string]any{"intValue": json.Number(strconv.FormatInt(v.IntValue, 10))}
	case *commonpb.AnyValue_DoubleValue:
		return map[string]any{"doubleValue": json.Number(strconv.FormatFloat(v.DoubleValue, 'g', -1, 64))}
	case *commonpb.AnyValue_ArrayValue:
		return map[string]any{"arrayValue": map[string]any{"values": mapped(v.ArrayValue.GetValues(), otelAnyValue)}}
	case *commonpb.AnyValue_KvlistValue:
		return map[string]any{"kvlistValue": map[string]any{"values": otelKeyValues(v.KvlistValue.GetValues())}}
	}
	return map[string]any{}
}
