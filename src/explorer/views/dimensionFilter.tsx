// The filter of one dimension: its values, each with its number of rows. They can be searched, and sorted by size.

import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Failure } from '../api/failure.ts';
import type { ValueSizes } from '../api/loadValueSizes.ts';
import type { ValueCount } from '../api/responseTypes.ts';
import { dimensionLabel, valueLabel } from '../labels.ts';
import { countText } from '../model/numberFormats.ts';
import { foldCaseAndAccents, searchValues } from '../model/searchValues.ts';
import { FILTER_TEXTS, FILTER_VALUES } from '../texts/filterTexts.ts';
import { Button } from './button.tsx';
import { useLoadable } from './useLoadable.ts';

export interface DimensionFilterProps {
  readonly dimension: string;
  /** The values and their numbers of rows; null until they are known. */
  readonly values: readonly ValueCount[] | null;
  readonly chosen: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
  /** The request for the sizes of the values; null when they have no sums. */
  readonly sizesRequest: ValuesRequest<ValueSizes> | null;
  /** The request for the values that are listed last; null when there are none. */
  readonly listedLastRequest: ValuesRequest<readonly string[]> | null;
}

/** A request about the values of a filter. It is sent once for each `id`. */
export interface ValuesRequest<Answer> {
  readonly id: string;
  readonly ask: (signal: AbortSignal) => Promise<Answer | Failure>;
}

/** How many values are listed. The search finds the others. */
const MAX_LISTED = 30;

/** The most values for which there is no search field. */
const MAX_WITHOUT_SEARCH = 8;

/** The filter, folded at first. Its values are drawn only while it is open. */
export function DimensionFilter(props: DimensionFilterProps): VNode {
  const { dimension, values, chosen } = props;
  const [isOpen, setOpen] = useState(false);
  const [search, setSearch] = useState('');
  const [isBySize, setBySize] = useState(false);
  const label = dimensionLabel(dimension);
  const first = valueLabel(dimension, chosen[0] ?? '');
  const summary =
    chosen.length === 0 ? '' : chosen.length === 1 ? first : FILTER_VALUES.chosen(chosen.length);
  return (
    <details class="picker" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span>{label}</span>
        <bdi class="chosen">{summary}</bdi>
      </summary>
      {isOpen && values !== null && (
        <Choices
          {...props}
          values={values}
          search={search}
          setSearch={setSearch}
          isBySize={isBySize}
          setBySize={setBySize}
          label={label}
        />
      )}
      {isOpen && values === null && <p class="quiet">{FILTER_VALUES.loading}</p>}
    </details>
  );
}

interface ChoicesProps extends DimensionFilterProps {
  readonly values: readonly ValueCount[];
  readonly search: string;
  readonly setSearch: (text: string) => void;
  readonly isBySize: boolean;
  readonly setBySize: (isBySize: boolean) => void;
  readonly label: string;
}

function Choices(props: ChoicesProps): VNode {
  const { dimension, values, chosen, onChange, search, setSearch, isBySize, setBySize, label } = props;
  const { sizes, listedLast } = useValueFacts(props);
  const sizeOf = (value: string) => sizes?.sizeByValue.get(value)?.size ?? -Infinity;
  const counts = new Map(values.map(({ value, row_count }) => [String(value), row_count]));
  const others = [...counts.keys()].filter((value) => !chosen.includes(value));
  const nameOf = (value: string) => valueLabel(dimension, value);
  const matchingValues = searchValues(others, search, nameOf, listedLast);
  const matching =
    sizes === null
      ? matchingValues
      : matchingValues.toSorted(
          (a, b) => Number(listedLast.has(a)) - Number(listedLast.has(b)) || sizeOf(b) - sizeOf(a),
        );
  const isMatch = (value: string) =>
    foldCaseAndAccents(nameOf(value)).includes(foldCaseAndAccents(search.trim()));
  const chosenMatches = chosen.filter(isMatch);
  const listed = [...chosenMatches, ...matching.slice(0, MAX_LISTED)];
  const toggle = (value: string) =>
    onChange(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]);
  const countBeside = (value: string) =>
    sizes === null
      ? countText(counts.get(value) ?? 0)
      : (sizes.sizeByValue.get(value)?.text ?? FILTER_VALUES.none);
  return (
    <div class="choices">
      {values.length > MAX_WITHOUT_SEARCH && (
        <input
          type="search"
          placeholder={FILTER_TEXTS.searchHint}
          aria-label={FILTER_TEXTS.search(label)}
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <div class="choices-head">
        <span role="status">
          {search === ''
            ? FILTER_VALUES.inAll(values.length)
            : FILTER_VALUES.found(chosenMatches.length + matching.length, values.length)}
        </span>
        {props.sizesRequest !== null && values.length > 2 && (
          <Button look="text" aria-pressed={isBySize} onClick={() => setBySize(!isBySize)}>
            {FILTER_VALUES.largestFirst}
          </Button>
        )}
        <span>{sizes === null ? FILTER_VALUES.rows : sizes.year}</span>
      </div>
      <div role="group" aria-label={label}>
        <ul>
          {listed.map((value) => (
            <li key={value}>
              <label class="choice">
                <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
                <bdi>{nameOf(value)}</bdi>
                <span class="count">{countBeside(value)}</span>
              </label>
            </li>
          ))}
        </ul>
      </div>
      {matching.length > MAX_LISTED && (
        <p class="quiet small">{FILTER_VALUES.more(matching.length - MAX_LISTED)}</p>
      )}
      {listed.length === 0 && <p class="quiet small">{FILTER_VALUES.nothing}</p>}
      {chosen.length > 0 && (
        <Button look="text" onClick={() => onChange([])}>
          {FILTER_TEXTS.clear(label)}
        </Button>
      )}
    </div>
  );
}

/** Loads the sizes of the values, if they are listed by size, and the values that are listed last. */
function useValueFacts({ isBySize, sizesRequest, listedLastRequest }: ChoicesProps): ValueFacts {
  const request = isBySize ? sizesRequest : null;
  const sizes = useLoadable(request?.id ?? '', async (signal) => request?.ask(signal) ?? NO_SIZES);
  const listedLast = useLoadable(
    listedLastRequest?.id ?? '',
    async (signal) => listedLastRequest?.ask(signal) ?? [],
  );
  return {
    sizes: request !== null && sizes.kind === 'loaded' ? sizes.value : null,
    listedLast: new Set(listedLast.kind === 'loaded' ? listedLast.value : []),
  };
}

interface ValueFacts {
  /** Null while the values are not listed by size, or their sizes are being loaded. */
  readonly sizes: ValueSizes | null;
  readonly listedLast: ReadonlySet<string>;
}

const NO_SIZES: ValueSizes = { year: 0, sizeByValue: new Map() };
