// Chinese prose with facts in it. Each template holds its value word for word.
const SUBJECTS =
  '夜间备份|发票导出|搜索索引|登录页面|客户导入|审计报告|测试环境|租房合同|花园灌溉|博士论文|高铁行程|厨房装修|语言课程|保险理赔|会议演讲|支付队列|面试安排|合唱排练'.split(
    '|',
  );
const CHOICES =
  '每周快照|共享日历|纯文本文件|小供应商|人工审批|夜班火车|两个小组|旧版模板|租来的工具|市立图书馆|固定价格|自由入座|侧门入口|三次短会'.split(
    '|',
  );
const PEOPLE = '李明|王芳|赵敏|张伟|陈静怡|刘洋|杨晓东|黄丽|周建国|吴倩|徐经理|孙老师'.split('|');
const SLUGS = 'dingdan|kucun|beihai|fengye|tongqian|dengta|lushan|baihe'.split('|');

export const chinese = {
  name: 'Chinese',
  subjects: SUBJECTS,
  values: {
    number: (dice, n) =>
      dice.pick([`${n}分钟`, `${n % 90}.${1 + (n % 9)}万元`, `${n}GB`, `${n}个用户`, `${n}公里`, `${n}毫秒`, `${n}页`]),
    date: (dice, n) =>
      dice.pick([
        `2027年${1 + (n % 12)}月${1 + (n % 28)}日`,
        `${1 + (n % 12)}月${1 + (n % 28)}日`,
        `下午${1 + (n % 6)}点${10 + (n % 49)}分`,
      ]),
    path: (dice, n) =>
      dice.pick([
        `/srv/${dice.pick(SLUGS)}/${dice.pick(SLUGS)}-${n}.yaml`,
        `D:\\data\\${dice.pick(SLUGS)}\\run${n}.csv`,
        `https://intranet.example.org/${dice.pick(SLUGS)}/${n}`,
      ]),
    identifier: (dice, n) =>
      dice.pick([
        `DD-${1000 + n}`,
        `${dice.pick(SLUGS)}-${dice.pick(SLUGS)}-${n}`,
        `v${1 + (n % 7)}.${n}.${n % 10}`,
        `max_${dice.pick(SLUGS)}_${n}`,
      ]),
    name: (_dice, n) => PEOPLE[n % PEOPLE.length],
    decision: (_dice, n) => CHOICES[n % CHOICES.length],
    failure: (_dice, n) => CHOICES[(n + 5) % CHOICES.length],
  },
  sentences: {
    number: [
      (s, v) => `根据上次测量，${s}需要${v}。`,
      (s, v) => `${s}的上限是${v}，不能再多了。`,
      (s, v) => `我又查了一遍，${s}大约${v}。`,
    ],
    date: [
      (s, v) => `${s}的截止时间是${v}。`,
      (s, v) => `大家都觉得${v}最适合${s}。`,
      (s, v) => `我们在${v}再看一次${s}。`,
    ],
    path: [(s, v) => `${s}的资料放在 ${v} 里。`, (s, v) => `关于${s}，请看 ${v} 这个位置。`],
    identifier: [(s, v) => `${s}的编号是 ${v}。`, (s, v) => `处理${s}的时候请搜索 ${v} 这一项。`],
    name: [(s, v) => `${s}的负责人是${v}。`, (s, v) => `${s}有问题的话找${v}就行。`, (s, v) => `${s}现在由${v}负责。`],
    decision: [(s, v) => `我们决定${s}采用${v}。`, (s, v) => `关于${s}，最后商定用${v}。`],
    failure: [(s, v) => `${s}试过${v}，但是没有效果。`, (s, v) => `用${v}来做${s}的办法失败了。`],
    rule: [(s) => `没有我的同意，绝不要修改${s}。`, (s) => `讨论${s}之前必须先备份。`, (s) => `不要向外人提到${s}。`],
    before: [(s, v) => `${s}需要${v}。`],
    after: [
      (s, v) => `更正：${s}需要${v}。`,
      (s, v, old) => `不对，${s}需要${v}，而不是${old}。`,
      (s, v, old) => `${s}的时间从${old}改为${v}。`,
    ],
  },
  questions: {
    number: (s) => `${s}的数字是多少？`,
    date: (s) => `${s}安排在什么时候？`,
    path: (s) => `${s}的资料在哪里？`,
    identifier: (s) => `${s}要搜索什么编号？`,
    name: (s) => `${s}由谁负责？`,
    decision: (s) => `关于${s}我们决定了什么？`,
    failure: (s) => `${s}试过哪些没有用的办法？`,
    rule: (s) => `关于${s}我要注意什么？`,
    correction: (s) => `${s}需要多久？`,
  },
  changing: (dice, n) => [`${n}天`, `${n + dice.between(3, 9)}天`],
  filler: [
    (s) => `我又想了想${s}接下来怎么办。`,
    (s) => `你觉得${s}怎样推进比较好？`,
    (s) => `听起来有道理，${s}也会从中受益。`,
    (s, t) => `${s}和${t}之间的关系比想象的更紧密。`,
    (s) => `${s}可以从好几个角度来看，各有各的道理。`,
    () => '能不能给其他人写几句说明？',
    (s) => `简单来说，${s}进展顺利，其余的可以等一等。`,
    () => '我先总结一下目前的情况，然后再看下一步。',
    () => '谢谢，这对我很有帮助。',
    (s, t) => `在谈${s}之前，先说一下${t}。`,
    (s) => `做${s}的时候，小步走比大计划更稳妥。`,
  ],
};
