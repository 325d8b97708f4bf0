ROWS = [
 dict(q="How long may a parcel wait at the counter?", ref="A parcel waits fourteen days, then it goes back to the sender.",
      ans="It waits fourteen days and is then sent back.", ctx=["Parcels wait at the counter for fourteen days. After that they return to the sender.", "The counter opens at nine."]),
 dict(q="What does a lost key card cost?", ref="A lost key card costs 25 euros.",
      ans="A new key card is free of charge.", ctx=["Replacing a lost key card costs 25 euros, a broken one nothing."]),
 dict(q="図書室は何時に閉まりますか。", ref="図書室は午後八時に閉まります。", ans="図書室は午後八時に閉まります。", ctx=["図書室の利用時間は午前九時から午後八時までです。"]),
 dict(q="May visitors park in the yard?", ref="Visitors may park in the yard after six in the evening.",
      ans="The documents do not say, \"perhaps\".", ctx=[]),
]
