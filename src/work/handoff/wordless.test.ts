import { describe, expect, it } from "vitest";

import { handoff } from "./handoff.ts";
import { countTokens, FAMILIES } from "./tokens/token-counter.ts";

/**
 * Random text, and its tokens as real tokenizers count them: ctok for Claude 4.7 and later and for Claude 3 to 4.6, o200k,
 * Gemma 3. Made by bench/handoff/wordless.ts.
 */
const WORDLESS: readonly (readonly [kind: string, text: string, counts: readonly number[]])[] = [
  [
    "lower case, words",
    "wdv rgxdqsp yhsq nxwl eribwfnm vs bmi hoyoeni uppnrm ypq rzxatc qztxug",
    [58, 50, 34, 33],
  ],
  [
    "upper case, one run",
    "APLNDFMEPANRDWJYTJLNYAOJCMYSKRJQGPXSJLQPQSIEYZUYORALQZEDOILPMISEQAPFCN",
    [70, 56, 39, 39],
  ],
  [
    "both cases, words",
    "vNEgGt uT RxXI mn uOF qdYFJkG rc KLVApi oIny MMdlB ZDfT JeAeRU KG blSE",
    [61, 57, 37, 36],
  ],
  [
    "base64, words",
    "BjO9 Lcwcg mGV 634tvv jYkh Ib5SQTl DLFsI3 bZES/D2 UqoNNO5E tHafIbrWQ P",
    [69, 66, 45, 45],
  ],
  ["hex, words", "95a4 56369e 6fd267 9f cdb1ce b2fc 6d785 a254b796 c1d d1792359 b94 461a", [54, 52, 41, 60]],
  [
    "digits, one run",
    "9936509366524496356394528674287981079286576209049058480290882275336989",
    [30, 32, 24, 70],
  ],
  [
    "punctuation, one run",
    "_^[<$:..{)#)#}.?.~<.-,-\\,>_-)#.+%',*`@:`',>(>/#&[^%&`&:?//(*#]?,</=+-=",
    [71, 61, 45, 44],
  ],
  [
    "Latin-1, words",
    "\u00fd\u00e3 \u00c6\u00d2\u00e3\u00f0\u00e3\u00cf\u00e2\u00c7 \u00dd\u00fc\u00f0\u00f8\u00f7\u00f5\u00cb \u00e5\u00ff\u00e2\u00cf\u00d8\u00d0\u00cd\u00f2\u00d7 \u00f6\u00fb\u00fc \u00e8\u00f2\u00fc\u00d6\u00c8\u00d8\u00c6\u00cc\u00dc \u00d6\u00d5\u00f0\u00d8\u00df\u00e8\u00e0 \u00e0\u00f2\u00ce\u00d9\u00f5\u00e7\u00da\u00d8 \u00f6\u00ed\u00ca \u00e2\u00e0\u00ed \u00e7",
    [96, 97, 60, 60],
  ],
  [
    "Greek, apart",
    "\u03a7 \u03b0 \u03bc \u0396 \u03b6 \u039a \u03a7 \u03a8 \u039e \u03c8 \u03ae \u03be \u03ac \u03c7 \u0392 \u03ae \u03a9 \u03b9 \u03b3 \u03bc \u039e \u03bf \u03a4 \u03b2 \u03c8 \u03b7 \u03c5 \u0397 \u03b9 \u0398 \u0397 \u03b7 \u03c1 \u03b8 \u03c3",
    [94, 95, 42, 36],
  ],
  [
    "Cyrillic, words",
    "\u041f\u0425\u044d\u042f\u0433 \u0423\u0443 \u0427\u0426\u042e \u042b\u043d\u0441\u0415\u0444\u0438\u044e \u044e\u0411\u0410\u0439 \u0413\u0441\u0423\u044c\u0440\u0444\u0443\u0447\u0414 \u044f\u043f \u0446\u0416\u041a\u0427\u0425\u042b\u0429\u0434 \u0429\u0438 \u0415\u0449\u0415\u0414\u0449 \u0426\u0434\u044a\u044c\u043d\u0447 \u0426\u041f\u0430\u0420\u043d\u0428",
    [88, 89, 54, 55],
  ],
  [
    "Arabic, words",
    "\u0641\u0634\u0637\u0629\u063a\u0624\u0628 \u0621\u0630\u0643\u062d\u0637\u0647\u0627 \u063d\u062d\u0632\u063e\u0630\u0638\u063b \u0649\u0623\u0642\u063e\u0622\u062b\u0645\u0645 \u062b\u0647\u0623\u0637\u0637\u0626\u0633\u0624 \u0623\u0638\u0620\u0648\u0631\u0636 \u0642\u063a\u0621\u0630\u0648\u0648\u0626 \u0623\u064a\u062c\u062a \u0645\u0633 \u0648\u062e\u0621\u063b",
    [76, 77, 57, 53],
  ],
  [
    "Thai, apart",
    "\u0e10 \u0e22 \u0e05 \u0e1b \u0e21 \u0e2c \u0e12 \u0e17 \u0e18 \u0e2d \u0e1d \u0e1b \u0e11 \u0e0f \u0e10 \u0e0f \u0e24 \u0e21 \u0e17 \u0e22 \u0e2c \u0e04 \u0e23 \u0e23 \u0e0e \u0e2e \u0e2d \u0e26 \u0e2c \u0e20 \u0e04 \u0e01 \u0e0e \u0e02 \u0e2c",
    [112, 113, 49, 50],
  ],
  [
    "kana, words",
    "\u3047\u307c\u3045\u3063\u3095\u305a\u305e\u3054 \u3071\u307a\u3049\u3074\u3084 \u3079\u3084 \u3078\u3065\u3045\u304d\u3069\u3076\u308d \u3064\u3088\u3094 \u3093\u308d \u3093\u3074 \u305f\u3052\u3058\u305c\u3059\u304d\u3056 \u3070\u3084\u3076\u3064\u3071\u304c\u3062\u304a \u3045\u3061\u3065\u3059\u3094 \u3054\u3092\u308e\u3078\u3078\u305d \u3067\u3080\u305f",
    [96, 97, 80, 61],
  ],
  [
    "Han, words",
    "\u7e70\u9d89\u8e6f\u5039\u7d2e \u5de2\u983c\u5217\u9573\u9e27\u5e25\u9aaa\u56c1\u5e19 \u8f94\u603a\u8c5a \u900b\u5d3c\u6bd8\u8ae5 \u5631\u72a1\u6981\u5457\u8698\u97d9 \u4fc9\u9090\u6342\u4fe5\u99dd \u892d\u6ae4\u7ab1\u5c25\u69a4\u5d46\u8cc0\u776c \u5332\u8371\u6c8d\u649f\u93d7\u6cfa\u63ff \u98a4\u8dbb\u58f5\u5ea6\u5b66\u6abc\u881e\u687f\u8215 \u54c3\u804e\u85d8\u8952\u61d3",
    [143, 145, 125, 70],
  ],
  [
    "Hangul, one run",
    "\ubfaa\ud743\uca1b\ucecf\ubaf7\uafa9\ub385\ud16e\uaf20\ucd96\ub77b\ub140\ub76f\ud0d9\uafa8\ubc8b\uaed9\ubae5\ud388\uc60f\uc33c\uafa1\ub553\ud611\ub583\uc58e\uc548\ub352\uc63a\uc3f1\ud5d1\ubeac\uae02\ud26e\ud58a\ucead\uc9a8\ub213\ud413\ud21e\ub7bd\ucc2d\ub8aa\uc2f6\ucf6c\ub485\uc3d3\uc635\ub1f7\ubbfa\uc1cc\uc8bb\uc4b2\ud150\uc739\uaf37\ud638\ubb27\ubbb6\ub3bf\ud47d\ubc5c\ub6f0\ub944\uc6a0\uc451\ud2af\ucd1f\uac2f\ud177",
    [169, 171, 157, 70],
  ],
  [
    "arrows, apart",
    "\u2266 \u22f7 \u23fc \u21c6 \u21de \u230b \u2240 \u2349 \u23eb \u21ad \u22d0 \u21d9 \u23b0 \u22af \u2303 \u230e \u22a7 \u23ff \u2229 \u2348 \u237f \u23c7 \u2361 \u21d1 \u21f0 \u2381 \u23c1 \u2373 \u22f6 \u2302 \u23c5 \u2266 \u21ec \u23ca \u22ef",
    [174, 176, 90, 69],
  ],
  [
    "stacked accents",
    "j\u0328\u0309\u0307\u0345f\u0308\u0309\u033e\u0341j\u0310\u0300\u0333\u030ee\u031d\u0322\u030d\u0349p\u032a\u0326\u0331\u032bd\u0321\u0331\u0338\u0319g\u032d\u0338\u0327\u030bl\u0303\u0311\u0339\u0349m\u032d\u0325\u0337\u031eh\u0337\u0304\u033e\u0315y\u0328\u0323\u034e\u0318p\u0324\u0329\u0347\u030bt\u0328\u0344\u0346\u0311s\u030f\u0348\u0315\u0305",
    [136, 137, 117, 70],
  ],
  [
    "digits and letters in turn",
    "v9e6v2q7x0y2a0z7i9c5o8g1o5j0s7m9q5w7s8r3m4b0r3p9o8v7e4p4w0q2q2p7h5j4t3",
    [76, 77, 70, 70],
  ],
  [
    "anything, words",
    "\u7ed4\u4b04\u5fad\u9b6c \ub24c\u660c\u7750\ud229\u9925\u8a95 \u3f02\u69aa\ubd31\u21ac\ub503\u4683 \ua845\uad23\u4050\u7bad\u5982\ub757\u940f\u2f70\u9de0 \u6182\u1250\u606d\u7ee8 \u35f0\u6e5b\ub571\ua7fe\u58c3\u0fe2 \u0df4\u7b5c\u622b \ud243\ua67a\u0624\u2f6b \ua9ef\u5223\u6099\u0876\ub69d\u9190\u4434\ubce5\ub647 \u764f\uc86f\u4b0f\uad88\uba7d \u86a5\u1f70 \u8ee7",
    [171, 173, 138, 70],
  ],
];

describe("text without words", () => {
  it.each(WORDLESS)("stays below its bound: %s", (_, text, counts) => {
    for (const [at, family] of FAMILIES.entries())
      expect({ family, upper: countTokens(text, family).upper }).toSatisfy(
        ({ upper }: { upper: number }) => upper >= counts[at]!,
      );
  });

  it("cannot make a briefing longer than its budget", () => {
    const exact = new Map(WORDLESS.map(([, text, counts]) => [text, counts]));
    const input = {
      checkpoint: { checkpoint_id: "ckpt-1" },
      state: { decisions: WORDLESS.map(([, what]) => ({ what, why: null })) },
      key: new Uint8Array(32),
      resumeCommand: "checkpoint status",
    };
    for (const [at, family] of FAMILIES.entries()) {
      const { text } = handoff(input, { maxTokens: 700, family });
      const shown = [...exact].filter(([words]) => text.includes(words));
      expect(shown.length).toBeGreaterThan(0);
      expect(shown.reduce((sum, [, counts]) => sum + counts[at]!, 0)).toBeLessThan(700);
    }
  });
});
