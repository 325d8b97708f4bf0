package doctor

import (
	"strings"

	"github.com/rag-workbench/workbench/internal/store/seals"
)

// subjectWords are the Japanese words for what something was found about.
var subjectWords = map[string]string{
	"run": "実行", "call": "呼び出し", "cache": "キャッシュ", "cell": "セル", "answer": "回答", "corpus": "コーパス",
	"dataset": "データセット",
	"log":     "ログ", "baseline": "比較の基準", "experiment": "実験", "vector": "ベクトル", "space": "ベクトル空間",
	"fire":  "スケジュールの実行",
	"table": "テーブル", "review": "レビュー", "sweep": "スイープ", "text": "本文", "taxonomy": "テーマの一覧", "agreement": "合意",
	"notebook": "ノートブック", "judge": "評価モデルカード",
	// kinds of sealed rows
	"corpora": "コーパス", "documents": "文書", "datasets": "データセット", "questions": "質問", "logs": "ログ",
	"logged_answers": "ログの回答",
	"revisions":      "リビジョン", "runs": "実行", "runs_end": "実行の終わり", "runs_seq": "実行の順序", "fires": "スケジュールの回",
	"answers": "回答", "cells": "セル", "events": "イベント",
	"stages": "段階の出力", "calls": "呼び出し", "bill": "請求", "vectors": "ベクトル", "judge_cards": "評価モデルカード",
	"taxonomies": "テーマの一覧", "agreements": "合意", "reviews": "レビュー", "baselines": "比較の基準", "endpoints": "接続先",
	"audit_log": "監査ログ", "tree": "ツリー", "gone": "削除の記録", "tail": "実行の末尾",
	"schedules": "スケジュール", "share_links": "共有リンク", "notebook_versions": "ノートブックの版", "notebook_comments": "ノートブックのコメント",
	"run_notes": "実行のメモ", "run_tags": "実行のタグ",
}

// SubjectIn is what something was found about, in a language: the name of a thing behind the word for its kind.
func (f Finding) SubjectIn(lang string) string {
	kind, name, named := strings.Cut(f.Subject, " ")
	switch word := subjectWords[kind]; {
	case lang != "ja":
		return f.Subject
	case f.Subject == "the database":
		return "データベース"
	case f.Subject == "the study":
		return "スタディ"
	case f.Subject == seals.Alone:
		return "実行に属さない呼び出し"
	case word == "":
		return f.Subject
	case !named: // of several rows
		return word
	}
	return subjectWords[kind] + " " + name
}
