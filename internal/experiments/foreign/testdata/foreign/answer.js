module.exports = class {
  constructor(o){this.config=(o&&o.config)||{};}
  id(){return this.config.name||'bot';}
  async callApi(prompt, ctx){
    const W={"parcel":"It waits fourteen days and is then sent back.","key card":this.config.name=='bot-b'?"A lost key card costs 25 euros.":"A new key card is free of charge.","図書室":"図書室は午後八時に閉まります。"};
    for(const k in W) if(prompt.includes(k)) return {output:W[k], tokenUsage:{total:30,prompt:20,completion:10}, cost:0.0001};
    return {error:'the bot did not answer'};
  }
}
