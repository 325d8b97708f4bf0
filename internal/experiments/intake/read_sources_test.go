package intake

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/text"
)

// TestSourceAndQuoteAreToldApart: what names a document and a place is cut off, and a text that only looks like such a mix stays whole.
func TestSourceAndQuoteAreToldApart(t *testing.T) {
	t.Parallel()
	corpus := teamCorpus()
	for written, want := range map[string]string{ // source, document, quote
		`"Press it twice." (manual.pdf, section 3)`:        "manual.pdf, section 3|manual.pdf|Press it twice.",
		"Press it twice. [shipping_faq.md]":                "shipping_faq.md|shipping_faq.md|Press it twice.",
		"Press it twice. — manual.pdf p.2":                 "manual.pdf p.2|manual.pdf|Press it twice.",
		"manual.pdf Press it twice.":                       "manual.pdf|manual.pdf|Press it twice.",
		"manual.pdf#p3: Press it twice.":                   "manual.pdf#p3|manual.pdf|Press it twice.",
		"manual.pdf, pages 3 and 4: Press it twice.":       "manual.pdf, pages 3 and 4|manual.pdf|Press it twice.",
		`Employee Handbook (2024), p. 12: "Staff may go."`: "Employee Handbook (2024), p. 12||Staff may go.",
		"規程集/旅費規程.docx":                                    "規程集/旅費規程.docx|旅費規程.docx|",
		"Employee Handbook.pdf, page 12":                   "Employee Handbook.pdf, page 12||",
		"九時に始まる（就業規則より）":                                   "就業規則より|就業規則.docx|九時に始まる",
		"旅費規程.docx（三千円とする。）":                               "旅費規程.docx|旅費規程.docx|三千円とする。",
		"就業規則の第4条に「九時に始まる。」とある":                            "就業規則の第4条に|就業規則.docx|九時に始まる。",
		"【就業規則】九時に始まる。":                                    "就業規則|就業規則.docx|九時に始まる。",
		"マニュアルP12「電源を入れる」":                                 "マニュアルP12||電源を入れる",
		"旅費規程.docx 第3条\n三千円とする。":                           "旅費規程.docx 第3条|旅費規程.docx|三千円とする。",
		"注意：電源を切ること。":                                      "",
		"1. Hold the power button: wait":                   "",
		"Note: see manual.pdf":                             "",
		"電話：03-1234-5678（代表）":                              "",
		"The fee (section 3) is due.":                      "",
		"§3.2 The battery lasts ten hours":                 "",
		"料金は3,000円です（税込）":                                  "",
		"「会員」とは「共済会」に加入した者をいう。":                            "",
		"URL: https://example.com/a.html":                  "",
	} {
		var got []string
		for _, p := range passages(corpus, written) {
			got = append(got, fmt.Sprintf("%s|%s|%s", p.source, p.doc, p.quote))
		}
		if said := strings.Join(got, " + "); said != want {
			t.Errorf("%q: %s, want %s", written, said, want)
		}
	}
}

// TestAMixInTheDocumentsIsAQuote: a text that the documents hold as it stands is not cut.
func TestAMixInTheDocumentsIsAQuote(t *testing.T) {
	t.Parallel()
	d, report, err := read("q.csv", "質問,正解,根拠\n定義は？,会員,\"第7条（定義）\n"+
		"「会員」とは共済会に加入した者をいう。\"\n", teamCorpus(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if e := d.Questions[0].Evidence; len(e) != 1 || e[0].Quote != "第7条（定義）\n「会員」とは共済会に加入した者をいう。" {
		t.Errorf("evidence %+v, notes %v", e, text.InEnglish(report.Notes))
	}
}
