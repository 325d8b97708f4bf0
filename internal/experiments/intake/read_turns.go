package intake

import "github.com/rag-workbench/workbench/internal/text"

// turnsName matches columns whose rows with the same value belong to one conversation.
var turnsName = text.Lazy(`^(?:会話|対話|セッション|スレッド|やりとり)(?: ?(?:id|番号|no\.?|名))?$|^(?:conversation|dialog(?:ue)?|session|thread|chat)(?: (?:id|no\.?|key))?$`)

// turns says which questions go on with one above them in the same conversation: each is asked alone.
func (b *questionBuilder) turns() {
	for i, name := range b.table.Columns {
		if !turnsName.MatchString(plainName(name)) || b.columns.fields[i] != fieldMetadata && b.columns.fields[i] != fieldTag {
			continue
		}
		seen := map[string]bool{}
		var later []text.Said
		for _, row := range b.table.Rows {
			if s := b.cell(row, i); s != "" && seen[s] {
				later = append(later, b.table.place(row.Number))
			} else {
				seen[s] = true
			}
		}
		if len(later) > 0 && len(later) < len(b.table.Rows)-1 {
			b.followUps = append(b.followUps, text.Say("column %s: these questions go on with the one above them, but each is asked alone; word them so that "+
				"they can stand alone: %s", "列「%s」：次の質問は前の質問の続きですが、1問ずつ単独で尋ねます。"+
				"単独で通じる文にしてください：%s", name, listedFew(later)))
		}
	}
}
