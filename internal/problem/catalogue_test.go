package problem

import "testing"

func TestCatalogueFindsTextsByTheEnglishOnes(t *testing.T) {
	t.Parallel()
	c := NewCatalogue("{\n \"a \\\"b\\\": %s\": \"\u7532\u300c%s\u300d\\n\",\n \"last\": \"\u672b\"\n}\n")
	for english, want := range map[string]string{`a "b": %s`: "甲「%s」\n", "last": "末"} {
		if got, ok := c.Find(english); !ok || got != want {
			t.Errorf("%q is %q, %v; want %q", english, got, ok, want)
		}
	}
	if got, ok := c.Find("none"); ok {
		t.Errorf("an unknown text is %q", got)
	}
}
