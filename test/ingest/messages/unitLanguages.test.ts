// Units in further languages are found in titles and headings. Words that only look like units are not.

import { describe, expect, it } from '@jest/globals';
import {
  isDoubtful,
  statedUnit,
  unitBesideNumber,
  unitInName,
} from '../../../ingest/messages/statedUnits.ts';
import { processorMs } from '../../support/processorMs.ts';

describe('a unit', () => {
  it.each([
    ['หน่วย: พันบาท', '1e3'],
    ['รายได้ (ล้านบาท)', '1e6'],
    ['พันล้านบาท', '1e9'],
    ['หมื่นล้านบาท', '1e10'],
    ['พันคน', '1e3'],
    ['באלפי ש"ח', '1e3'],
    ['מיליוני ש״ח', '1e6'],
    ['במיליארדי דולר', '1e9'],
    ['מלש"ח', '1e6'],
    ['ألف دولار', '1e3'],
    ['بآلاف الدولارات', '1e3'],
    ['القيمة بالمليون درهم', '1e6'],
    ['بملايين الدولارات', '1e6'],
    ['مليار ريال', '1e9'],
    ['میلیون تومان', '1e6'],
    ['nghìn đồng', '1e3'],
    ['Đơn vị: triệu đồng', '1e6'],
    ['(tỷ VND)', '1e9'],
    ['nghìn tỷ đồng', '1e12'],
    ['ribu rupiah', '1e3'],
    ['dalam jutaan rupiah', '1e6'],
    ['(Rp miliar)', '1e9'],
    ['triliun rupiah', '1e12'],
    ['bin TL', '1e3'],
    ['тис. грн', '1e3'],
    ['хил. лв.', '1e3'],
    ['þús. kr.', '1e3'],
    ["milers d'euros", '1e3'],
    ['tisíce eur', '1e3'],
    ['milionů Kč', '1e6'],
    ['miljoonaa euroa', '1e6'],
    ['millioner kr.', '1e6'],
    ['करोड़ रुपये', '1e7'],
    ['mnkr', '1e6'],
    ['Beløp i 1000 kr', '1e3'],
    ['(mdd)', '1e6'],
    ['billones de pesos', '1e12'],
    ['x € 1.000', '1e3'],
    ['bedragen x EUR 1.000', '1e3'],
    ['1 000 euroa', '1e3'],
    ['(1 000 €)', '1e3'],
    ['1000 NOK', '1e3'],
    ['in CHF 1000', '1e3'],
    ['€/000', '1e3'],
    ['EUR/1000', '1e3'],
    ["(000's)", '1e3'],
    ['000 omitted', '1e3'],
    ['(000 TL)', '1e3'],
    ['u tisućama eura', '1e3'],
    ['v tisících Kč', '1e3'],
    ['v milionech Kč', '1e6'],
    ['v miliardách', '1e9'],
    ['v milijonih EUR', '1e6'],
    ['u milionima dinara', '1e6'],
    ['у хиљадама динара', '1e3'],
    ['во илјади денари', '1e3'],
    ['milj. EUR', '1e6'],
    ['miljoonina euroina', '1e6'],
    ['tuhandetes eurodes', '1e3'],
    ['MFt', '1e6'],
    ['eFt', '1e3'],
    ['ათასი ლარი', '1e3'],
    ['მლნ ლარი', '1e6'],
    ['հազար դրամ', '1e3'],
    ['сая төгрөг', '1e6'],
    ['мың теңге', '1e3'],
    ['min manat', '1e3'],
    ["ming so'm", '1e3'],
    ['百萬澳門元', '1e6'],
    ['₦m', '1e6'],
    ['RM m', '1e6'],
    ['NIS m', '1e6'],
    ["R'm", '1e6'],
    ['R bn', '1e9'],
    ['in Rm', '1e6'],
    ["M d'€", '1e6'],
    ['M FCFA', '1e6'],
    ['mil euros', '1e6'],
    ['mill. eur', '1e6'],
    ['thous. USD', '1e3'],
    ['Mn USD', '1e6'],
    ['USD, m', '1e6'],
    ['m.kr.', '1e6'],
  ])('is found in %s', (text, factor) => {
    expect(statedUnit(text)?.factor).toBe(factor);
    expect(statedUnit(text.normalize('NFD'))?.factor).toBe(factor);
  });

  it.each([
    ['miles de millones de pesos', '1e9'],
    ['mil millones de euros', '1e9'],
    ['mil milhões de euros', '1e9'],
    ['en milliers de millions', '1e9'],
    ['migliaia di milioni di euro', '1e9'],
    ['Tausend Millionen Euro', '1e9'],
    ['тыс. млн руб.', '1e9'],
    ['in thousands of millions', '1e9'],
    ['decenas de miles de euros', '1e4'],
    ['centaines de milliers', '1e5'],
  ])('of two words is read as a whole: %s', (text, factor) => {
    expect(statedUnit(text)?.factor).toBe(factor);
  });

  it.each([
    ['十万円', '1e5'],
    ['千万円', '1e7'],
    ['천만원', '1e7'],
    ['億円', '1e8'],
    ['十億円', '1e9'],
    ['십억원', '1e9'],
    ['百億円', '1e10'],
    ['천억원', '1e11'],
    ['兆円', '1e12'],
    ['単位：千人', '1e3'],
  ])('of two signs is read as a whole: %s', (text, factor) => {
    expect(statedUnit(text)?.factor).toBe(factor);
  });

  it.each([
    ...['ล้านนา', 'พันธบัตร', 'ผู้ใหญ่ 2 ล้านคน', 'אלפי מנשה', 'ישראל', 'אלף', 'ألف ليلة', 'مليونير'],
    ...['٢ مليون', 'tỷ lệ', 'Tỷ giá', 'Triệu Phong', 'Kepulauan Seribu', 'distribusi', 'Familiar'],
    ...[
      '1,5 juta orang',
      'Bin Laden',
      'Recycle bin',
      'Milers',
      '每万人口',
      '千人当たり',
      '千葉',
      '천안',
      '조선',
    ],
    ...[
      'max stake €1,000',
      'licence fee €1 000',
      'prize 1000 euro',
      'EUR/1000 adults',
      'Tk',
      'Room 1000',
      'Sh',
    ],
  ])('is not found in %s', (text) => {
    expect(statedUnit(text)).toBeNull();
  });

  it.each([
    ['ล้าน', '1e6'],
    ['tỷ', '1e9'],
    ['juta', '1e6'],
    ['兆', '1e12'],
    ['אלף', '1e3'],
    ['ألف', '1e3'],
    ['bin', '1e3'],
  ])('may be %s alone next to a number', (text, factor) => {
    expect(unitBesideNumber(text)?.factor).toBe(factor);
  });

  it.each([
    ['ggr_all_m', true],
    ['ggr_top_m', true],
    ['GgrAllM', true],
    ['ggr_eur_m', false],
    ['ggr_try_m', false],
    ['ggr_TOP_m', false],
  ])('in the name %s is doubtful: %p', (name, doubtful) => {
    const unit = unitInName(name);
    expect(unit && isDoubtful(unit)).toBe(doubtful);
  });
});

it('a text of 100,000 spaces is looked at without delay, and a unit behind it is found', () => {
  const began = processorMs();
  expect(statedUnit(`a${' '.repeat(100_000)}b`)).toBeNull();
  expect(statedUnit(`GGR${' '.repeat(100_000)}in EUR m`)).toMatchObject({ factor: '1e6' });
  expect(processorMs() - began).toBeLessThan(2000);
});

it('a long text states a unit in whole words alone, and none in a number of people', () => {
  const note = 'The figures of this table were collected by the regulators of all countries. '.repeat(40);
  expect(statedUnit(`${note}in thousands`)).toMatchObject({ factor: '1e3' });
  expect(statedUnit(`${note}over 2${' '.repeat(1000)}million adults`)).toBeNull();
  expect(statedUnit(`in EUR m${' word'.repeat(7000)}`)).toBeNull();
});
