// Lists the rough size of each economy: its people, and its gross domestic product.

import { once } from '../../../src/basics/once.ts';
import { countryKey } from '../../messages/countryNames.ts';

/** The rough size of an economy in the years about 2023. */
export interface Economy {
  /** All people, in millions. */
  readonly millions: number;
  /** The gross domestic product, in billions of USD; null where it is unknown, or where sources differ by several times. */
  readonly billions: number | null;
}

/** The size of a country by its name; undefined for names that are not listed, such as `Rest of Europe`. */
export const economyOf = (country: string): Economy | undefined => economies().get(countryKey(country));

/** Name, people and gross domestic product. Rough sizes are enough to tell a country from one ten times as large. */
const ECONOMY_LINES = `
  Afghanistan 40 15; Albania 3 20; Algeria 45 250; Andorra 0.08 4; Angola 35 90; Antigua and Barbuda 0.1 2;
  Argentina 45 600; Armenia 3 25; Aruba 0.1 4; Australia 26 1700; Austria 9 500; Azerbaijan 10 70; Bahamas 0.4 14;
  Bahrain 1.5 45; Bangladesh 170 450; Barbados 0.3 6; Belarus 9 70; Belgium 12 600; Belize 0.4 3; Benin 14 20;
  Bermuda 0.065 7.5; Bhutan 0.8 3; Bolivia 12 45; Bosnia and Herzegovina 3.3 27; Botswana 2.5 20; Brazil 210 2100;
  Brunei 0.45 15; Bulgaria 6.5 100; Burkina Faso 23 20; Burundi 13 3; Cabo Verde 0.55 2.5; Cambodia 17 30;
  Cameroon 28 50; Canada 40 2100; Cayman Islands 0.07 6.5; Central African Republic 5 2.5; Chad 18 15; Chile 20 330;
  China 1400 18000; Colombia 52 380; Comoros 0.8 1.3; Congo, Democratic Republic of 100 65; Congo, Republic of 6 15;
  Costa Rica 5 80; Croatia 4 80; Cuba 11 -; Curaçao 0.15 3; Cyprus 1.2 32; Czechia 11 330; Côte d'Ivoire 30 80;
  Denmark 6 400; Djibouti 1.1 4; Dominica 0.07 0.6; Dominican Republic 11 120; Ecuador 18 120; Egypt 110 400;
  El Salvador 6.3 34; Equatorial Guinea 1.7 12; Eritrea 3.5 -; Estonia 1.4 40; Eswatini 1.2 4.6; Ethiopia 125 160;
  Fiji 0.9 5.5; Finland 5.6 300; France 68 3000; Gabon 2.4 20; Gambia 2.7 2.4; Georgia 3.7 30; Germany 84 4500;
  Ghana 34 75; Gibraltar 0.034 -; Greece 10 240; Greenland 0.057 3.2; Grenada 0.12 1.3; Guatemala 18 100;
  Guinea 14 22; Guinea-Bissau 2.1 2; Guyana 0.8 16; Haiti 11.6 20; Honduras 10.5 34; Hong Kong 7.5 380;
  Hungary 9.6 210; Iceland 0.38 31; India 1400 3500; Indonesia 280 1400; Iran 90 -; Iraq 45 250; Ireland 5.3 550;
  Isle of Man 0.085 7.5; Israel 9.7 510; Italy 59 2250; Jamaica 2.8 19; Japan 124 4200; Jordan 11 50;
  Kazakhstan 20 260; Kenya 55 110; Kosovo 1.7 10; Kuwait 4.8 160; Kyrgyzstan 7 14; Laos 7.6 15; Latvia 1.9 43;
  Lebanon 5.5 -; Lesotho 2.3 2.1; Liberia 5.4 4.3; Libya 7 -; Liechtenstein 0.04 7.5; Lithuania 2.9 78;
  Luxembourg 0.66 86; Macau 0.7 47; Madagascar 30 16; Malawi 21 13; Malaysia 34 400; Maldives 0.52 6.6; Mali 23 20;
  Malta 0.55 22; Mauritania 4.9 10; Mauritius 1.26 14; Mexico 130 1800; Moldova 2.5 17; Monaco 0.039 8.8;
  Mongolia 3.4 20; Montenegro 0.62 7.5; Morocco 38 140; Mozambique 34 20; Myanmar 54 65; Namibia 3 12; Nepal 30 41;
  Netherlands 18 1100; New Zealand 5.2 250; Nicaragua 7 18; Niger 27 17; Nigeria 225 360; North Macedonia 1.8 15;
  Norway 5.5 490; Oman 5 108; Pakistan 240 340; Panama 4.5 83; Papua New Guinea 10 31; Paraguay 6.8 43; Peru 34 270;
  Philippines 115 440; Poland 37 810; Portugal 10.5 290; Puerto Rico 3.2 118; Qatar 2.7 230; Romania 19 350;
  Russia 144 2000; Rwanda 14 14; Saint Kitts and Nevis 0.05 1; Saint Lucia 0.18 2.4;
  Saint Vincent and the Grenadines 0.1 1; Samoa 0.2 0.9; San Marino 0.034 1.9; Saudi Arabia 33 1070; Senegal 18 31;
  Serbia 6.6 75; Seychelles 0.11 2; Sierra Leone 8.5 4; Singapore 5.9 500; Slovakia 5.4 130; Slovenia 2.1 68;
  Solomon Islands 0.75 1.6; Somalia 18 11; South Africa 62 380; South Korea 52 1750; South Sudan 11 -; Spain 48 1600;
  Sri Lanka 22 84; Sudan 48 -; Suriname 0.62 3.7; Sweden 10.5 590; Switzerland 8.8 890; Syria 23 -;
  São Tomé and Príncipe 0.23 0.6; Taiwan 23 760; Tajikistan 10 12; Tanzania 66 79; Thailand 71 515; Timor-Leste 1.4 2;
  Togo 9 9; Tonga 0.1 0.5; Trinidad and Tobago 1.45 28; Tunisia 12 48; Turkmenistan 7 -; Türkiye 85 1100;
  Uganda 48 49; Ukraine 37 175; United Arab Emirates 10 510; United Kingdom 68 3300; United States 335 27000;
  Uruguay 3.4 77; Uzbekistan 36 95; Vanuatu 0.33 1.1; Venezuela 28 -; Vietnam 100 430; Yemen 35 -; Zambia 20.5 28;
  Zimbabwe 16 -;
`;

/** The economies by the keys of their names. They are read at the first use, because most months have no new country. */
const economies = once(
  (): ReadonlyMap<string, Economy> =>
    new Map(
      [...ECONOMY_LINES.matchAll(/([^;]+) ([\d.]+) ([\d.]+|-);/g)].map(
        ([, name = '', millions, billions]) => [
          countryKey(name),
          { millions: Number(millions), billions: billions === '-' ? null : Number(billions) },
        ],
      ),
    ),
);
