package notify

import (
	"bytes"
	"image/png"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// TestPageOfAMail: the HTML of a mail says what its text says, has no element or address that its template or the configuration did not
// give it, and its picture has the shares of the answers.
func TestPageOfAMail(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "ja", "both"} {
		n := hostileNotice("mail")
		n.Facts.Link = "https://bench.example.org/compare?baseline=base&candidate=run"
		n.Facts.Worst[0].Link = n.Facts.Link + "&question=%3C%40U1%3E"
		told := tell(n, lang)
		page, picture, err := told.page(n, languagesOf(lang)[0])
		if err != nil {
			t.Fatal(err)
		}
		root, err := html.Parse(strings.NewReader(page))
		if err != nil {
			t.Fatal(err)
		}
		shown, addresses := read(t, root)
		for _, l := range linesOf(told) {
			if !strings.Contains(shown, strings.Join(strings.Fields(l), " ")) {
				t.Errorf("%s: the page does not say %q", lang, l)
			}
		}
		for _, a := range addresses {
			if a != n.Facts.Link && a != n.Facts.Worst[0].Link && a != "cid:"+pictureName {
				t.Errorf("%s: the page leads to %s", lang, a)
			}
		}
		if want := map[string]int{"both": 5}[lang]; len(addresses) != max(want, 3) {
			t.Errorf("%s: addresses are %v", lang, addresses)
		}
		shares(t, picture)
	}
	if _, picture, err := tell(experiments.Notice{Kind: experiments.NoticeTest}, "en").
		page(experiments.Notice{}, "en"); err != nil || picture != nil {
		t.Errorf("a test has a picture of %d bytes, %v", len(picture), err)
	}
}

// read is the text of a page, and where its elements lead. Elements that the template does not use are errors.
func read(t *testing.T, n *html.Node) (shown string, addresses []string) {
	t.Helper()
	if n.Type == html.ElementNode && !regexp.MustCompile(`^(html|head|meta|title|body|h1|h2|p|img|a)$`).MatchString(n.Data) {
		t.Errorf("the page has the element %s", n.Data)
	}
	for _, a := range n.Attr {
		if a.Key == "href" || a.Key == "src" {
			addresses = append(addresses, a.Val)
		}
	}
	if n.Type == html.TextNode {
		shown = strings.Join(strings.Fields(n.Data), " ") + " "
	}
	for c := range n.ChildNodes() {
		text, more := read(t, c)
		shown, addresses = shown+text, append(addresses, more...)
	}
	return shown, addresses
}

// shares holds the parts of the picture against 3, 400 and 1 of 404 answers.
func shares(t *testing.T, picture []byte) {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	columns := map[any]int{}
	for x := range img.Bounds().Dx() {
		columns[img.At(x, pictureHeight/2)]++
	}
	for code, want := range map[string][2]int{"worse": {pictureLeast, 14}, "no_change": {560, 590}, "better": {pictureLeast, 10}} {
		if got := columns[pictureColours[code]]; got < want[0] || got > want[1] {
			t.Errorf("%s is %d wide of %d", code, got, img.Bounds().Dx())
		}
	}
}
