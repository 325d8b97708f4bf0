package text

import "testing"

// TestOtherLanguagesAreKnown: questions as people ask them, in languages that the workbench has words for and in those that it has not.
func TestOtherLanguagesAreKnown(t *testing.T) {
	t.Parallel()
	for want, questions := range map[string][]string{
		"German": {"Wie lange habe ich Zeit für eine Rückgabe?", "Was kostet der Versand nach Österreich?", "Wo finde ich meine Rechnung?",
			"Gibt es einen Rabatt für Schüler?", "Welche Zahlungsarten gibt es?"},
		"French": {"Combien de temps ai-je pour retourner un article ?", "Quels sont les délais de livraison ?", "Où est ma facture ?"},
		"Spanish": {"¿Cuánto tiempo tengo para devolver un artículo?", "¿Dónde está mi factura?",
			"¿Cómo puedo cancelar mi suscripción?"},
		"Italian":    {"Quanto tempo ho per la restituzione di un articolo?", "Come posso disdire il mio abbonamento?"},
		"Portuguese": {"Quanto tempo tenho para devolver um artigo?", "Como posso cancelar a minha assinatura?"},
		"Dutch":      {"Hoe lang heb ik de tijd om een artikel te retourneren?", "Waar vind ik mijn factuur?"},
		"Chinese":    {"我怎么取消订阅？", "退货需要多长时间？", "请问发票在哪里？"},
		"Korean":     {"반품 기한은 얼마나 되나요?"},
		"other":      {"Как отменить подписку?", "Πού είναι το τιμολόγιό μου;"},
		"none": {"How long do I have to return an item?", "What is the warranty?", "Can I change the delivery address?", "Return policy",
			"Who is Le Corbusier?", "What does Die Zeit cost?", "When was Los Angeles founded?", "返品の期限はいつまでですか。", "退職金制度概要",
			"基本的方針", "iPhone", "", "Is El Niño a current?", "What is the capital of La Rioja?", "Where does Van der Waals come from?",
			"Café opening hours"},
	} {
		for _, q := range questions {
			language, other := Otherwise(q)
			got := string(language)
			switch {
			case !other:
				got = "none"
			case got == "":
				got = "other"
			}
			if got != want {
				t.Errorf("%q is %s, want %s", q, got, want)
			}
		}
	}
}

// TestMostOfSeveralLanguagesIsNamed, and how many texts are in any of them.
func TestMostOfSeveralLanguagesIsNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		texts []string
		most  OtherLanguage
		count int
	}{
		{nil, "", 0},
		{[]string{"What is it?"}, "", 0},
		{[]string{"What is it?", "Was ist das und wie?", "Wo ist die Katze?", "Où est le chat ?"}, "German", 3},
		{[]string{"Как отменить подписку?", "Wo ist die Katze?"}, "German", 2},
	} {
		if most, n := OtherLanguages(c.texts); most != c.most || n != c.count {
			t.Errorf("%q: %q %d", c.texts, most, n)
		}
	}
}
