package text

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"

	"github.com/rag-workbench/workbench/internal/problem"
)

// TestEncodingsAreReadAsMeantOrNotAtAll: a text whose bytes say beyond doubt what they are is read so; one in an encoding that nobody
// can tell by its bytes is refused, never read with other letters; and whoever names the encoding reads every one of them.
func TestEncodingsAreReadAsMeantOrNotAtAll(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		as      encoding.Encoding
		certain bool
		texts   string
	}{
		{Windows1252, charmap.Windows1252, true, "Wie lange läuft die Kündigungsfrist für Möbel? Größe: 5 m² – „Maß“ kostet 48 €|" +
			"Rohr Ø 12 mm für Größe 5|Müßig|müßte|" +
			"Nr;Frage;Antwort\n1;Für wen gilt § 5?;Für alle Gäste|Quel délai pour réparer un téléphone|Le métier du réparateur|" +
			"Où est l’élève ? À l’école : « été » – n° 5 ; cœur, façade|" +
			"¿Cuántos días? Mañana será otro día, señor|Não há exceções às condições|Perché è così? La città più bella|" +
			"Hvor længe gælder fristen? Få år|Så långt är det|Eén geïnteresseerde coördineert|café"},
		{CP932, japanese.ShiftJIS, true, "質問,回答\n退職は何日前までですか。,14日前です。|id,質問\n1,締切は？|Excelの表|AとBの差|iPhoneで確認|株式会社|ｱﾝｹｰﾄ結果|髙橋様"},
		{EUCJP, japanese.EUCJP, true, "質問,回答\n退職は何日前までですか。,14日前です。|Webで確認"},
		{Windows1250, charmap.Windows1250, false, "Pytanie;Odpowiedź\nJak długo?;Czternaście dni|Otázka;Odpověď\nJak dlouho?;Čtrnáct dní, příliš|" +
			"Kérdés és válasz: őszintén, hosszú"},
		{Windows1251, charmap.Windows1251, false, "Вопрос;Ответ\nКак долго?;Две недели|id;вопрос"},
		{EUCKR, korean.EUCKR, false, "질문,답변\n보증 기간은 얼마인가요?,구입일로부터 2년입니다.|" +
			"question,answer\n퓨즈는 어디에 있나요?,왼쪽 뒤에 있습니다."},
		{MacRoman, charmap.Macintosh, false, "Wie lang ist die Kündigungsfrist?;Zwei Wochen für Gäste|Größe|Réponse;été"},
	} {
		for s := range strings.SplitSeq(c.texts, "|") {
			raw := encoded(t, c.as, s)
			got, name, err := Decode(raw)
			switch {
			case c.certain && (err != nil || got != s || name != c.name):
				t.Errorf("%q in %s is read as %q in %q: %v", s, c.name, got, name, err)
			case !c.certain && problem.CodeOf(err) != "text_encoding_unknown":
				t.Errorf("%q in %s is read as %q in %q, which nobody can know: %v", s, c.name, got, name, err)
			}
			if got, name, err = DecodeAs(raw, strings.ToLower(c.name)); err != nil || got != s || name != c.name {
				t.Errorf("%q, named as %s, is read as %q in %q: %v", s, c.name, got, name, err)
			}
		}
	}
}

// TestDecodeAsSaysWhatIsWrong: a name of no encoding, and bytes that have no meaning in the named one, are refused with the names there
// are; a byte order mark is never overruled.
func TestDecodeAsSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"ebcdic": "text_encoding_name", "utf-8": "text_encoding_other",
		"Shift_JIS": "text_encoding_other"} {
		_, _, err := DecodeAs([]byte("Gr\xf6\xdfe \xff"), name)
		if p := problem.From(err); err == nil || p.Code != want || !strings.Contains(p.Hint, Windows1252) ||
			!strings.Contains(p.In("ja").Hint, Windows1252) {
			t.Errorf("%s: %v (%s)", name, err, p.Hint)
		}
	}
	if s, name, err := DecodeAs([]byte("\xef\xbb\xbfGröße"), "latin1"); s != "Größe" || name != UTF8 || err != nil {
		t.Errorf("%q in %s, %v", s, name, err)
	}
	if s, name, err := DecodeAs([]byte("Gr\xf6\xdfe"), "auto"); s != "Größe" || name != Windows1252 || err != nil {
		t.Errorf("%q in %s, %v", s, name, err)
	}
}
