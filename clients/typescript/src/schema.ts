// Made by `npm run generate` from docs/openapi.json with SHA-256 e58ed3bafce766ff7a634e11fd0130f88c5ebb45042a1507ad2fb5cb9c142e42; do not edit.

export interface paths {
    "/v1/financials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Rows of ggr, turnover, fx or country
         * @description Gives the rows that have, for each filter, one of its values. Any dimension of the dataset is a filter; repeat it for several values. Text matches exactly.
         *
         *     While `pagination.has_more` is true, repeat the request with `cursor` set to `pagination.cursor`. A walk stays on the snapshot it began with. The order of rows is fixed and total.
         *
         *     `Accept` with `text/csv` or `application/vnd.apache.arrow.stream` gives the page in that format.
         */
        get: operations["getFinancials"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reference": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Rows of country_reference
         * @description The lookup from country to region and type. Rows are flat: without years, dimensions and values. Filters, pages and formats are those of `/v1/financials`.
         */
        get: operations["getReference"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What differs between two snapshots
         * @description Compares two snapshots row by row, matched by all dimensions. `before` is `null` for an added row, `after` for a removed one. `meta.counts` counts everything that the filters select.
         *
         *     `X-Snapshot` is the default of `until`.
         */
        get: operations["getChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/totals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Exact sums, or why they would be wrong
         * @description Sums the metrics that add up, grouped by the dimensions in `by`. Sums are exact: the correctly rounded sum of the doubles.
         *
         *     A sum that would be wrong is refused. Values do not add up over `fx`, `state`, `temporal` and `calculation`: each must be in `by`, or have a single value among the rows selected.
         */
        get: operations["getTotals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/values": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Which values exist, and their rows
         * @description For each dimension, the values of the rows that meet the filters on all other dimensions. So a filter does not hide the alternatives to its own values. `meta.row_count` counts the rows that meet all filters. Values ascend.
         */
        get: operations["getValues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A query as SQL and as programs
         * @description Takes the parameters of `/v1/financials` (`metric`) or of `/v1/reference` (`dataset`). The programs walk all pages with the key in `API_KEY`, wait as 429 and 503 ask them to, and end with a data frame, an array or a file.
         */
        get: operations["explainQuery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The datasets with their dimensions and metrics
         * @description `name` is what to pass as `metric`. A dataset without metrics is a lookup: pass its name as `dataset` to `/v1/reference`.
         */
        get: operations["getCatalog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/datasets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The datasets with their units, gaps, sources and files
         * @description Describes every dataset: rows, years, units, missing values, over which dimensions nothing may be summed, sources and files.
         */
        get: operations["getDatasets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/datasets/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One dataset with its units, gaps, sources and files
         * @description An unknown name is 404.
         */
        get: operations["getDataset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/snapshots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The retained snapshots
         * @description Newest publication first. `X-Snapshot`, `since` and `until` take their ids.
         */
        get: operations["getSnapshots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/export/{dataset}.{format}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A whole dataset or selection as a file
         * @description Everything that the filters select, in the published order. Without filters `.parquet` is the published file, byte for byte, with a strong `ETag`, `Accept-Ranges` and `Repr-Digest`.
         *
         *     Four exports run at once on a server process, two of one key; further ones get 503. A file that breaks off ends with a reset connection. `.xlsx` has at most 1,048,575 rows.
         */
        get: operations["exportDataset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the calling key has used
         * @description The limits of the key and what is left of them, and its requests of the last 31 days, UTC, newest first. Days without requests are left out. Figures may lag a few seconds.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This description as OpenAPI 3.1
         * @description Made from the validators when the server starts.
         */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process answers
         * @description For the operator: restart the process when it does not.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the server should receive requests
         * @description 200 when a snapshot is served, Redis answers and the warm-up is over. The body says what is missing.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            error: string;
            details?: {
                /** @description Problems of no single parameter. */
                formErrors: string[];
                /** @description Problems by parameter. */
                fieldErrors: {
                    [key: string]: string[];
                };
            };
        };
        RateLimited: {
            error: string;
            /**
             * Format: int32
             * @description As in the header `Retry-After`.
             */
            retryAfterSeconds: number;
        };
        FinancialsPage: {
            meta: {
                /** @enum {string} */
                dataset: "ggr" | "turnover" | "fx" | "country";
                /** @enum {string} */
                metric: "ggr" | "turnover" | "fx" | "country";
                filters_applied: components["schemas"]["FiltersApplied"];
                /**
                 * Format: int64
                 * @description Rows of this page.
                 */
                row_count: number;
            };
            data: (components["schemas"]["GgrRow"] | components["schemas"]["TurnoverRow"] | components["schemas"]["FxRow"] | components["schemas"]["CountryRow"])[];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The filters, each with its values in the order given; `period` as the years that it keeps. */
        FiltersApplied: {
            [key: string]: string[];
        };
        /**
         * @description The name of a dimension.
         * @enum {string}
         */
        DimensionName: "year" | "region" | "country" | "state" | "category" | "product" | "channel" | "sub_channel" | "fx" | "fx_local_currency" | "temporal" | "calculation" | "country_type";
        /** @description A row of ggr. */
        GgrRow: {
            dimensions: {
                /**
                 * Format: int32
                 * @description Calendar year
                 */
                year: number;
                /** @description Geographic region */
                region: string;
                /** @description Country name */
                country: string;
                /** @description State or province; empty where not applicable */
                state: string;
                /** @description Gambling category, such as Betting, Gaming or Lottery */
                category: string;
                /** @description Product type, such as Sport Betting, Casino Slots or Poker */
                product: string;
                /** @description Distribution channel, such as Online or Land */
                channel: string;
                /** @description Sub-channel, such as Onshore or Offshore */
                sub_channel: string;
                /** @description Currency code of the value, such as USD, GBP or EUR */
                fx: string;
                /** @description Time classification, such as Current or Forecast */
                temporal: string;
            };
            values: {
                /**
                 * Format: double
                 * @description Gross gaming revenue (currency of the fx dimension)
                 */
                ggr: number | null;
            };
        };
        /** @description A row of turnover. */
        TurnoverRow: {
            dimensions: {
                /**
                 * Format: int32
                 * @description Calendar year
                 */
                year: number;
                /** @description Geographic region */
                region: string;
                /** @description Country name */
                country: string;
                /** @description State or province; empty where not applicable */
                state: string;
                /** @description Gambling category, such as Betting, Gaming or Lottery */
                category: string;
                /** @description Product type, such as Sport Betting, Casino Slots or Poker */
                product: string;
                /** @description Distribution channel, such as Online or Land */
                channel: string;
                /** @description Sub-channel, such as Onshore or Offshore */
                sub_channel: string;
                /** @description Currency code of the value, such as USD, GBP or EUR */
                fx: string;
                /** @description Time classification, such as Current or Forecast */
                temporal: string;
            };
            values: {
                /**
                 * Format: double
                 * @description Total stakes and wagers (currency of the fx dimension)
                 */
                turnover: number | null;
            };
        };
        /** @description A row of fx. */
        FxRow: {
            dimensions: {
                /**
                 * Format: int32
                 * @description Calendar year
                 */
                year: number;
                /** @description Geographic region */
                region: string;
                /** @description Country name */
                country: string;
                /** @description State or province; empty where not applicable */
                state: string;
                /** @description Local currency code */
                fx_local_currency: string;
                /** @description Time classification, such as Current or Forecast */
                temporal: string;
                /** @description Calculation method, such as Reported, Calculated or Estimated */
                calculation: string;
            };
            values: {
                /**
                 * Format: double
                 * @description Exchange rate in constant terms: USD per unit of local currency (USD per 1 unit of fx_local_currency)
                 */
                fx_constant_usd: number | null;
                /**
                 * Format: double
                 * @description Exchange rate in current terms: EUR per unit of local currency (EUR per 1 unit of fx_local_currency)
                 */
                fx_current_eur: number | null;
                /**
                 * Format: double
                 * @description Exchange rate in constant terms: EUR per unit of local currency (EUR per 1 unit of fx_local_currency)
                 */
                fx_constant_eur: number | null;
                /**
                 * Format: double
                 * @description Exchange rate in current terms: USD per unit of local currency (USD per 1 unit of fx_local_currency)
                 */
                fx_current_usd: number | null;
            };
        };
        /** @description A row of country. */
        CountryRow: {
            dimensions: {
                /**
                 * Format: int32
                 * @description Calendar year
                 */
                year: number;
                /** @description Geographic region */
                region: string;
                /** @description Country name */
                country: string;
                /** @description State or province; empty where not applicable */
                state: string;
                /** @description Time classification, such as Current or Forecast */
                temporal: string;
                /** @description Calculation method, such as Reported, Calculated or Estimated */
                calculation: string;
            };
            values: {
                /**
                 * Format: double
                 * @description Gross domestic product in local currency (local currency)
                 */
                gdp_local_currency: number | null;
                /**
                 * Format: double
                 * @description Gross domestic product in US dollars (USD)
                 */
                gdp_usd: number | null;
                /**
                 * Format: double
                 * @description Adult population (persons)
                 */
                adult_population: number | null;
                /**
                 * Format: double
                 * @description Annual consumer price inflation (percent)
                 */
                inflation: number | null;
            };
        };
        Pagination: {
            /** @description For the next page; `null` on the last one. */
            cursor: string | null;
            has_more: boolean;
        };
        ReferencePage: {
            meta: {
                /** @enum {string} */
                dataset: "country_reference";
                filters_applied: components["schemas"]["FiltersApplied"];
                /**
                 * Format: int64
                 * @description Rows of this page.
                 */
                row_count: number;
            };
            data: components["schemas"]["CountryReferenceRow"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description A row of country_reference. */
        CountryReferenceRow: {
            /** @description Geographic region */
            region: string;
            /** @description Country name */
            country: string;
            /** @description Kind of country, such as Tracked or Amalgamated */
            country_type: string;
        };
        ChangesPage: {
            meta: {
                dataset: components["schemas"]["DatasetName"];
                since: components["schemas"]["SnapshotId"];
                until: components["schemas"]["SnapshotId"];
                filters_applied: components["schemas"]["FiltersApplied"];
                /**
                 * Format: int64
                 * @description Changes of this page.
                 */
                row_count: number;
                /** @description All changes that the filters select, whatever `change` is. */
                counts: {
                    /** Format: int64 */
                    added: number;
                    /** Format: int64 */
                    removed: number;
                    /** Format: int64 */
                    revised: number;
                };
            };
            data: {
                /** @enum {string} */
                change: "added" | "removed" | "revised";
                dimensions: {
                    [key: string]: string | number;
                };
                /** @description Values in `since`; `null` for an added row. */
                before: {
                    [key: string]: number | null;
                } | null;
                /** @description Values in `until`; `null` for a removed row. */
                after: {
                    [key: string]: number | null;
                } | null;
            }[];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description The name of a dataset.
         * @enum {string}
         */
        DatasetName: "ggr" | "turnover" | "fx" | "country" | "country_reference";
        /**
         * @description A snapshot: its month and revision.
         * @example 2026-11.1
         */
        SnapshotId: string;
        TotalsPage: {
            meta: {
                /** @enum {string} */
                dataset: "ggr" | "turnover" | "country";
                by: components["schemas"]["DimensionName"][];
                filters_applied: components["schemas"]["FiltersApplied"];
                /**
                 * Format: int64
                 * @description Groups of this page.
                 */
                row_count: number;
                /** @description Missing values of the whole selection, by metric. Absent when there are none. */
                missing?: {
                    [key: string]: number;
                };
                /** @description Metrics that do not add up. */
                not_summed?: string[];
                /** @description Countries that `state=` leaves out, because in some year they have only rows of states. Absent when there are none. */
                states_alone?: string[];
                /** @description Countries that a single `fx` leaves out, because in some year all their rows are in other currencies. Absent when there are none. */
                currencies_alone?: string[];
                /** @description Countries that a single `temporal` leaves out, because in some year that the sums have, all their rows have another one, such as forecasts. Absent when there are none. */
                temporal_alone?: string[];
                notes?: string[];
            };
            data: {
                dimensions: {
                    [key: string]: string | number;
                };
                values: {
                    [key: string]: number | null;
                };
                /** Format: int64 */
                rows_summed: number;
            }[];
            pagination: components["schemas"]["Pagination"];
        };
        Values: {
            meta: {
                dataset: components["schemas"]["DatasetName"];
                filters_applied: components["schemas"]["FiltersApplied"];
                /**
                 * Format: int64
                 * @description Rows that meet all filters.
                 */
                row_count: number;
            };
            values: {
                [key: string]: {
                    value: string | number;
                    /** Format: int64 */
                    row_count: number;
                }[];
            };
        };
        Explanation: {
            meta: {
                dataset: components["schemas"]["DatasetName"];
                /** @enum {string} */
                metric?: "ggr" | "turnover" | "fx" | "country";
                filters_applied: components["schemas"]["FiltersApplied"];
                /**
                 * Format: int64
                 * @description All rows that the filters select.
                 */
                row_count: number;
            };
            /** @description One DuckDB statement over the Parquet file of the snapshot. */
            sql: string;
            curl: string;
            python: string;
            polars: string;
            r: string;
            javascript: string;
        };
        Catalog: {
            datasets: components["schemas"]["CatalogEntry"][];
        };
        CatalogEntry: {
            name: components["schemas"]["DatasetName"];
            description: string;
            granularities: "annual"[];
            dimensions: components["schemas"]["DimensionName"][];
            metrics: string[];
        };
        Datasets: {
            datasets: components["schemas"]["Dataset"][];
        };
        Dataset: {
            name: components["schemas"]["DatasetName"];
            description: string;
            granularities: "annual"[];
            /** Format: int64 */
            row_count: number;
            years: {
                /** Format: int32 */
                first: number | null;
                /** Format: int32 */
                last: number | null;
            };
            dimensions: {
                name: components["schemas"]["DimensionName"];
                /** @enum {string} */
                type: "text" | "integer";
                description: string;
                /**
                 * Format: int64
                 * @description How many values it has.
                 */
                values: number;
            }[];
            metrics: {
                name: string;
                unit: string;
                description: string;
                /** @description Whether its values of one year may be summed. */
                adds_up: boolean;
                /** @description Whether its values of several years may be summed: those of a level, such as a population, may not. */
                adds_up_over_years: boolean;
                /**
                 * Format: int64
                 * @description How many of its values are empty.
                 */
                missing: number;
            }[];
            not_additive_over: components["schemas"]["DimensionName"][];
            sort_order: components["schemas"]["DimensionName"][];
            sources: {
                file: string;
                sha256: string;
                /** Format: int64 */
                bytes: number;
            }[];
            files: {
                parquet: {
                    href: string;
                    /** Format: int64 */
                    bytes: number;
                    sha256: string;
                };
                csv: {
                    href: string;
                };
                arrow: {
                    href: string;
                };
                xlsx: {
                    href: string;
                };
            };
        };
        Snapshots: {
            snapshots: components["schemas"]["Snapshot"][];
            /** @description Snapshots whose files cannot be read now; left out when there are none. */
            unreadable?: components["schemas"]["SnapshotId"][];
        };
        Snapshot: {
            id: components["schemas"]["SnapshotId"];
            month: string;
            /** Format: date-time */
            published_at: string | null;
            current: boolean;
            fingerprint: string;
            datasets: {
                [key: string]: {
                    /** Format: int64 */
                    row_count: number;
                    /** Format: int32 */
                    first_year: number | null;
                    /** Format: int32 */
                    last_year: number | null;
                };
            };
        };
        Usage: {
            key: {
                id: string;
                label: string;
                /** Format: date-time */
                created_at: string;
                /**
                 * Format: date-time
                 * @description `null` for a key that does not expire.
                 */
                expires_at: string | null;
            };
            limits: {
                /** @enum {string} */
                name: "minute" | "day";
                /** Format: int64 */
                limit: number;
                /** Format: int64 */
                used: number;
                /** Format: int64 */
                remaining: number;
                /** Format: int64 */
                window_seconds: number;
                /**
                 * Format: date-time
                 * @description When the next request of a full window is admitted.
                 */
                resets_at: string;
            }[];
            days: {
                /** Format: date */
                date: string;
                /**
                 * Format: int64
                 * @description Requests that were admitted.
                 */
                requests: number;
                /**
                 * Format: int64
                 * @description Requests over a limit.
                 */
                refused: number;
            }[];
        };
        Health: {
            /** @constant */
            status: "ok";
        };
        Readiness: {
            /** @enum {string} */
            status: "ready" | "not ready";
            snapshot: {
                id: components["schemas"]["SnapshotId"];
                /**
                 * Format: int64
                 * @description Since its publication.
                 */
                age_seconds: number | null;
            } | null;
            /** @enum {string} */
            redis: "up" | "down";
            /** @description Whether the warm-up is over. */
            warm: boolean;
            /**
             * @description Whether the snapshot store answers; left out without one. A server is ready without it.
             * @enum {string}
             */
            store?: "up" | "down";
        };
    };
    responses: {
        /** @description The key is missing, malformed, unknown, expired or revoked. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                Vary: components["headers"]["Vary"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Link: components["headers"]["Help"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no such path, or not with that method. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                Vary: components["headers"]["Vary"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Link: components["headers"]["Help"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A rate limit is used up. */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                Vary: components["headers"]["Vary"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Link: components["headers"]["Help"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RateLimited"];
            };
        };
        /** @description The published file is not the one that `If-Match` names. */
        PreconditionFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                Vary: components["headers"]["Vary"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The range lies outside the file. */
        RangeNotSatisfiable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                Vary: components["headers"]["Vary"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Content-Range": components["headers"]["Content-Range"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Request line and headers exceed 64 KiB together. */
        HeadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                Vary: components["headers"]["Vary"];
                "Cache-Control": components["headers"]["Cache-Control"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Unexpected server error. */
        Unexpected: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                Vary: components["headers"]["Vary"];
                "Cache-Control": components["headers"]["Cache-Control"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no snapshot, the server is busy, or Redis or a query took too long. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                Vary: components["headers"]["Vary"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description Names this request in the log of the server.
         * @example 6f1c1c1e-2b7c-4a38-9c55-6e7e0a8d8a3f
         */
        "X-Request-Id": string;
        /**
         * @description The request headers that the answer depends on.
         * @example x-api-key, Accept-Encoding, Accept, X-Snapshot, Prefer
         */
        Vary: string;
        /**
         * @description `private, max-age=…` on an answer, `no-store` on an error.
         * @example private, max-age=3600
         */
        "Cache-Control": string;
        /**
         * @description The fingerprint of the answer, the same on every server.
         * @example W/"3q2-7wAB_ZJgZ5yNcQxWdA"
         */
        ETag: string;
        /**
         * @description The snapshot that answered.
         * @example 2026-11.1
         */
        "X-Snapshot": string;
        /**
         * @description Metadata of the answer, in every format: a JSON object in ASCII. For totals it has those of `missing`, `not_summed`, `states_alone`, `currencies_alone`, `temporal_alone` and `notes` that `meta` has. For changes it has `since`, `until` and `counts`. Members that would make it longer than 2,048 characters are left out, and `left_out` names them.
         * @example {"missing":{"gdp_usd":1}}
         */
        "X-Meta": string;
        /**
         * @description The address of the next page, `rel="next"`. The last page has none.
         * @example </v1/financials?metric=ggr&cursor=…>; rel="next"
         */
        Link: string;
        /**
         * @description The section of the documentation that explains the error, `rel="help"`.
         * @example </docs#limit>; rel="help"
         */
        Help: string;
        /**
         * @description `handling=strict`, if `Prefer` asked for it. Of errors, only those that strict handling causes have it.
         * @example handling=strict
         */
        "Preference-Applied": string;
        /**
         * @description Seconds until the request can be repeated.
         * @example 17
         */
        "Retry-After": number;
        /**
         * @description Size of the window with the least left.
         * @example 100
         */
        "X-RateLimit-Limit": number;
        /**
         * @description Requests left in that window.
         * @example 99
         */
        "X-RateLimit-Remaining": number;
        /**
         * @description The epoch second at which that window admits one more request.
         * @example 1795305600
         */
        "X-RateLimit-Reset": number;
        /**
         * @description The size of every window: `q` requests in `w` seconds.
         * @example "minute";q=100;w=60, "day";q=10000;w=86400
         */
        "RateLimit-Policy": string;
        /**
         * @description What is left of every window: `r` requests now, one more in `t` seconds.
         * @example "minute";r=99;t=60, "day";r=9999;t=86400
         */
        RateLimit: string;
        /**
         * @description The name of the file.
         * @example attachment; filename="ggr-2026-11.1.csv"
         */
        "Content-Disposition": string;
        /**
         * @description `bytes` on a published file.
         * @example bytes
         */
        "Accept-Ranges": string;
        /**
         * @description Which part of the file this is.
         * @example bytes 0-1023/482113
         */
        "Content-Range": string;
        /**
         * @description The SHA-256 of the whole published file.
         * @example sha-256=:n4bQgYhM…=:
         */
        "Repr-Digest": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getFinancials: {
        parameters: {
            query: {
                /** @description The dataset whose rows to give. */
                metric: "ggr" | "turnover" | "fx" | "country";
                /** @description Two dates: keeps every year that they touch, ends included. Both must exist, and the first must not be after the second. With `year` as well, both hold. */
                period?: string;
                /** @description Calendar year. */
                year?: string[];
                /** @description Geographic region. */
                region?: string[];
                /** @description Country name. */
                country?: string[];
                /** @description State or province; empty where not applicable. */
                state?: string[];
                /** @description Gambling category, such as Betting, Gaming or Lottery. Only for `ggr`, `turnover`. */
                category?: string[];
                /** @description Product type, such as Sport Betting, Casino Slots or Poker. Only for `ggr`, `turnover`. */
                product?: string[];
                /** @description Distribution channel, such as Online or Land. Only for `ggr`, `turnover`. */
                channel?: string[];
                /** @description Sub-channel, such as Onshore or Offshore. Only for `ggr`, `turnover`. */
                sub_channel?: string[];
                /** @description Currency code of the value, such as USD, GBP or EUR. Only for `ggr`, `turnover`. */
                fx?: string[];
                /** @description Local currency code. Only for `fx`. */
                fx_local_currency?: string[];
                /** @description Time classification, such as Current or Forecast. */
                temporal?: string[];
                /** @description Calculation method, such as Reported, Calculated or Estimated. Only for `fx`, `country`. */
                calculation?: string[];
                /** @description The largest number of rows in a page. */
                limit?: number;
                /** @description `pagination.cursor` of the page before. Dataset and filters must stay the same. */
                cursor?: string;
            };
            header?: {
                /** @description The snapshot that answers: an id, a month (its last retained revision) or a day (what was current at its end, UTC). Without it the current snapshot answers. */
                "X-Snapshot"?: string;
                /** @description `handling=strict` refuses filter values that the dataset does not have. */
                Prefer?: string;
                /** @description ETags of answers that the client has, or `*`: the answer is 304 without a body when one of them is still right. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "X-Snapshot": components["headers"]["X-Snapshot"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FinancialsPage"];
                    "text/csv": string;
                    "application/vnd.apache.arrow.stream": string;
                };
            };
            /** @description Nothing has changed since the answer with that ETag. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "X-Snapshot": components["headers"]["X-Snapshot"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is wrong; the body says where. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Link: components["headers"]["Help"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadTooLarge"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getReference: {
        parameters: {
            query: {
                /** @description The dataset. */
                dataset: "country_reference";
                /** @description Geographic region. */
                region?: string[];
                /** @description Country name. */
                country?: string[];
                /** @description Kind of country, such as Tracked or Amalgamated. */
                country_type?: string[];
                /** @description The largest number of rows in a page. */
                limit?: number;
                /** @description `pagination.cursor` of the page before. Dataset and filters must stay the same. */
                cursor?: string;
            };
            header?: {
                /** @description The snapshot that answers: an id, a month (its last retained revision) or a day (what was current at its end, UTC). Without it the current snapshot answers. */
                "X-Snapshot"?: string;
                /** @description `handling=strict` refuses filter values that the dataset does not have. */
                Prefer?: string;
                /** @description ETags of answers that the client has, or `*`: the answer is 304 without a body when one of them is still right. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "X-Snapshot": components["headers"]["X-Snapshot"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReferencePage"];
                    "text/csv": string;
                    "application/vnd.apache.arrow.stream": string;
                };
            };
            /** @description Nothing has changed since the answer with that ETag. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "X-Snapshot": components["headers"]["X-Snapshot"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is wrong; the body says where. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Link: components["headers"]["Help"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadTooLarge"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getChanges: {
        parameters: {
            query: {
                /** @description The dataset. */
                dataset: "ggr" | "turnover" | "fx" | "country" | "country_reference";
                /** @description The snapshot to compare with: an id, a month or a day. */
                since: string;
                /** @description The snapshot whose changes to list, named likewise; the current one when left out. */
                until?: string;
                /** @description Two dates: keeps every year that they touch, ends included. Both must exist, and the first must not be after the second. With `year` as well, both hold. */
                period?: string;
                /** @description The kinds of change to list; all when left out. */
                change?: ("added" | "removed" | "revised")[];
                /** @description Calendar year. Only for `ggr`, `turnover`, `fx`, `country`. */
                year?: string[];
                /** @description Geographic region. */
                region?: string[];
                /** @description Country name. */
                country?: string[];
                /** @description State or province; empty where not applicable. Only for `ggr`, `turnover`, `fx`, `country`. */
                state?: string[];
                /** @description Gambling category, such as Betting, Gaming or Lottery. Only for `ggr`, `turnover`. */
                category?: string[];
                /** @description Product type, such as Sport Betting, Casino Slots or Poker. Only for `ggr`, `turnover`. */
                product?: string[];
                /** @description Distribution channel, such as Online or Land. Only for `ggr`, `turnover`. */
                channel?: string[];
                /** @description Sub-channel, such as Onshore or Offshore. Only for `ggr`, `turnover`. */
                sub_channel?: string[];
                /** @description Currency code of the value, such as USD, GBP or EUR. Only for `ggr`, `turnover`. */
                fx?: string[];
                /** @description Local currency code. Only for `fx`. */
                fx_local_currency?: string[];
                /** @description Time classification, such as Current or Forecast. Only for `ggr`, `turnover`, `fx`, `country`. */
                temporal?: string[];
                /** @description Calculation method, such as Reported, Calculated or Estimated. Only for `fx`, `country`. */
                calculation?: string[];
                /** @description Kind of country, such as Tracked or Amalgamated. Only for `country_reference`. */
                country_type?: string[];
                /** @description The largest number of rows in a page. */
                limit?: number;
                /** @description `pagination.cursor` of the page before. Dataset and filters must stay the same. */
                cursor?: string;
            };
            header?: {
                /** @description The snapshot that answers: an id, a month (its last retained revision) or a day (what was current at its end, UTC). Without it the current snapshot answers. */
                "X-Snapshot"?: string;
                /** @description `handling=strict` refuses filter values that the dataset does not have. */
                Prefer?: string;
                /** @description ETags of answers that the client has, or `*`: the answer is 304 without a body when one of them is still right. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "X-Snapshot": components["headers"]["X-Snapshot"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    "X-Meta": components["headers"]["X-Meta"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangesPage"];
                    "text/csv": string;
                    "application/vnd.apache.arrow.stream": string;
                };
            };
            /** @description Nothing has changed since the answer with that ETag. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "X-Snapshot": components["headers"]["X-Snapshot"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is wrong; the body says where. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Link: components["headers"]["Help"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadTooLarge"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTotals: {
        parameters: {
            query: {
                /** @description The dataset. */
                dataset: "ggr" | "turnover" | "country";
                /** @description Two dates: keeps every year that they touch, ends included. Both must exist, and the first must not be after the second. With `year` as well, both hold. */
                period?: string;
                /** @description The dimensions to group by, in their order, each once. */
                by?: ("year" | "region" | "country" | "state" | "category" | "product" | "channel" | "sub_channel" | "fx" | "temporal" | "calculation")[];
                /** @description Calendar year. */
                year?: string[];
                /** @description Geographic region. */
                region?: string[];
                /** @description Country name. */
                country?: string[];
                /** @description State or province; empty where not applicable. */
                state?: string[];
                /** @description Gambling category, such as Betting, Gaming or Lottery. Only for `ggr`, `turnover`. */
                category?: string[];
                /** @description Product type, such as Sport Betting, Casino Slots or Poker. Only for `ggr`, `turnover`. */
                product?: string[];
                /** @description Distribution channel, such as Online or Land. Only for `ggr`, `turnover`. */
                channel?: string[];
                /** @description Sub-channel, such as Onshore or Offshore. Only for `ggr`, `turnover`. */
                sub_channel?: string[];
                /** @description Currency code of the value, such as USD, GBP or EUR. Only for `ggr`, `turnover`. */
                fx?: string[];
                /** @description Time classification, such as Current or Forecast. */
                temporal?: string[];
                /** @description Calculation method, such as Reported, Calculated or Estimated. Only for `country`. */
                calculation?: string[];
                /** @description The largest number of rows in a page. */
                limit?: number;
                /** @description `pagination.cursor` of the page before. Dataset and filters must stay the same. */
                cursor?: string;
            };
            header?: {
                /** @description The snapshot that answers: an id, a month (its last retained revision) or a day (what was current at its end, UTC). Without it the current snapshot answers. */
                "X-Snapshot"?: string;
                /** @description `handling=strict` refuses filter values that the dataset does not have. */
                Prefer?: string;
                /** @description ETags of answers that the client has, or `*`: the answer is 304 without a body when one of them is still right. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "X-Snapshot": components["headers"]["X-Snapshot"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    "X-Meta": components["headers"]["X-Meta"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TotalsPage"];
                    "text/csv": string;
                    "application/vnd.apache.arrow.stream": string;
                };
            };
            /** @description Nothing has changed since the answer with that ETag. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "X-Snapshot": components["headers"]["X-Snapshot"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is wrong; the body says where. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Link: components["headers"]["Help"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadTooLarge"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getValues: {
        parameters: {
            query: {
                /** @description The dataset. */
                dataset: "ggr" | "turnover" | "fx" | "country" | "country_reference";
                /** @description Two dates: keeps every year that they touch, ends included. Both must exist, and the first must not be after the second. With `year` as well, both hold. */
                period?: string;
                /** @description The dimensions whose values to list; all dimensions when left out. */
                dimension?: ("year" | "region" | "country" | "state" | "category" | "product" | "channel" | "sub_channel" | "fx" | "fx_local_currency" | "temporal" | "calculation" | "country_type")[];
                /** @description Calendar year. Only for `ggr`, `turnover`, `fx`, `country`. */
                year?: string[];
                /** @description Geographic region. */
                region?: string[];
                /** @description Country name. */
                country?: string[];
                /** @description State or province; empty where not applicable. Only for `ggr`, `turnover`, `fx`, `country`. */
                state?: string[];
                /** @description Gambling category, such as Betting, Gaming or Lottery. Only for `ggr`, `turnover`. */
                category?: string[];
                /** @description Product type, such as Sport Betting, Casino Slots or Poker. Only for `ggr`, `turnover`. */
                product?: string[];
                /** @description Distribution channel, such as Online or Land. Only for `ggr`, `turnover`. */
                channel?: string[];
                /** @description Sub-channel, such as Onshore or Offshore. Only for `ggr`, `turnover`. */
                sub_channel?: string[];
                /** @description Currency code of the value, such as USD, GBP or EUR. Only for `ggr`, `turnover`. */
                fx?: string[];
                /** @description Local currency code. Only for `fx`. */
                fx_local_currency?: string[];
                /** @description Time classification, such as Current or Forecast. Only for `ggr`, `turnover`, `fx`, `country`. */
                temporal?: string[];
                /** @description Calculation method, such as Reported, Calculated or Estimated. Only for `fx`, `country`. */
                calculation?: string[];
                /** @description Kind of country, such as Tracked or Amalgamated. Only for `country_reference`. */
                country_type?: string[];
            };
            header?: {
                /** @description The snapshot that answers: an id, a month (its last retained revision) or a day (what was current at its end, UTC). Without it the current snapshot answers. */
                "X-Snapshot"?: string;
                /** @description `handling=strict` refuses filter values that the dataset does not have. */
                Prefer?: string;
                /** @description ETags of answers that the client has, or `*`: the answer is 304 without a body when one of them is still right. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "X-Snapshot": components["headers"]["X-Snapshot"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Values"];
                };
            };
            /** @description Nothing has changed since the answer with that ETag. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "X-Snapshot": components["headers"]["X-Snapshot"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is wrong; the body says where. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Link: components["headers"]["Help"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadTooLarge"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    explainQuery: {
        parameters: {
            query?: {
                /** @description The dataset whose rows to give. Either `metric` or `dataset`. */
                metric?: "ggr" | "turnover" | "fx" | "country";
                /** @description Two dates: keeps every year that they touch, ends included. Both must exist, and the first must not be after the second. With `year` as well, both hold. */
                period?: string;
                /** @description The dataset. Either `metric` or `dataset`. */
                dataset?: "country_reference";
                /** @description Calendar year. Only for `ggr`, `turnover`, `fx`, `country`. */
                year?: string[];
                /** @description Geographic region. */
                region?: string[];
                /** @description Country name. */
                country?: string[];
                /** @description State or province; empty where not applicable. Only for `ggr`, `turnover`, `fx`, `country`. */
                state?: string[];
                /** @description Gambling category, such as Betting, Gaming or Lottery. Only for `ggr`, `turnover`. */
                category?: string[];
                /** @description Product type, such as Sport Betting, Casino Slots or Poker. Only for `ggr`, `turnover`. */
                product?: string[];
                /** @description Distribution channel, such as Online or Land. Only for `ggr`, `turnover`. */
                channel?: string[];
                /** @description Sub-channel, such as Onshore or Offshore. Only for `ggr`, `turnover`. */
                sub_channel?: string[];
                /** @description Currency code of the value, such as USD, GBP or EUR. Only for `ggr`, `turnover`. */
                fx?: string[];
                /** @description Local currency code. Only for `fx`. */
                fx_local_currency?: string[];
                /** @description Time classification, such as Current or Forecast. Only for `ggr`, `turnover`, `fx`, `country`. */
                temporal?: string[];
                /** @description Calculation method, such as Reported, Calculated or Estimated. Only for `fx`, `country`. */
                calculation?: string[];
                /** @description Kind of country, such as Tracked or Amalgamated. Only for `country_reference`. */
                country_type?: string[];
                /** @description The largest number of rows in a page. */
                limit?: number;
                /** @description `pagination.cursor` of the page before. Dataset and filters must stay the same. */
                cursor?: string;
            };
            header?: {
                /** @description The snapshot that answers: an id, a month (its last retained revision) or a day (what was current at its end, UTC). Without it the current snapshot answers. */
                "X-Snapshot"?: string;
                /** @description `handling=strict` refuses filter values that the dataset does not have. */
                Prefer?: string;
                /** @description ETags of answers that the client has, or `*`: the answer is 304 without a body when one of them is still right. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "X-Snapshot": components["headers"]["X-Snapshot"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Explanation"];
                };
            };
            /** @description Nothing has changed since the answer with that ETag. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "X-Snapshot": components["headers"]["X-Snapshot"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is wrong; the body says where. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Link: components["headers"]["Help"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadTooLarge"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCatalog: {
        parameters: {
            query?: never;
            header?: {
                /** @description The snapshot that answers: an id, a month (its last retained revision) or a day (what was current at its end, UTC). Without it the current snapshot answers. */
                "X-Snapshot"?: string;
                /** @description ETags of answers that the client has, or `*`: the answer is 304 without a body when one of them is still right. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "X-Snapshot": components["headers"]["X-Snapshot"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Catalog"];
                };
            };
            /** @description Nothing has changed since the answer with that ETag. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "X-Snapshot": components["headers"]["X-Snapshot"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is wrong; the body says where. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Link: components["headers"]["Help"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadTooLarge"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDatasets: {
        parameters: {
            query?: never;
            header?: {
                /** @description The snapshot that answers: an id, a month (its last retained revision) or a day (what was current at its end, UTC). Without it the current snapshot answers. */
                "X-Snapshot"?: string;
                /** @description ETags of answers that the client has, or `*`: the answer is 304 without a body when one of them is still right. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "X-Snapshot": components["headers"]["X-Snapshot"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Datasets"];
                };
            };
            /** @description Nothing has changed since the answer with that ETag. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "X-Snapshot": components["headers"]["X-Snapshot"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is wrong; the body says where. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Link: components["headers"]["Help"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadTooLarge"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDataset: {
        parameters: {
            query?: never;
            header?: {
                /** @description The snapshot that answers: an id, a month (its last retained revision) or a day (what was current at its end, UTC). Without it the current snapshot answers. */
                "X-Snapshot"?: string;
                /** @description ETags of answers that the client has, or `*`: the answer is 304 without a body when one of them is still right. */
                "If-None-Match"?: string;
            };
            path: {
                name: "ggr" | "turnover" | "fx" | "country" | "country_reference";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "X-Snapshot": components["headers"]["X-Snapshot"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dataset"];
                };
            };
            /** @description Nothing has changed since the answer with that ETag. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "X-Snapshot": components["headers"]["X-Snapshot"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is wrong; the body says where. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Link: components["headers"]["Help"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadTooLarge"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSnapshots: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of answers that the client has, or `*`: the answer is 304 without a body when one of them is still right. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "X-Snapshot": components["headers"]["X-Snapshot"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Snapshots"];
                };
            };
            /** @description Nothing has changed since the answer with that ETag. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "X-Snapshot": components["headers"]["X-Snapshot"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is wrong; the body says where. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Link: components["headers"]["Help"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadTooLarge"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportDataset: {
        parameters: {
            query?: {
                /** @description Two dates: keeps every year that they touch, ends included. Both must exist, and the first must not be after the second. With `year` as well, both hold. */
                period?: string;
                /** @description Calendar year. Only for `ggr`, `turnover`, `fx`, `country`. */
                year?: string[];
                /** @description Geographic region. */
                region?: string[];
                /** @description Country name. */
                country?: string[];
                /** @description State or province; empty where not applicable. Only for `ggr`, `turnover`, `fx`, `country`. */
                state?: string[];
                /** @description Gambling category, such as Betting, Gaming or Lottery. Only for `ggr`, `turnover`. */
                category?: string[];
                /** @description Product type, such as Sport Betting, Casino Slots or Poker. Only for `ggr`, `turnover`. */
                product?: string[];
                /** @description Distribution channel, such as Online or Land. Only for `ggr`, `turnover`. */
                channel?: string[];
                /** @description Sub-channel, such as Onshore or Offshore. Only for `ggr`, `turnover`. */
                sub_channel?: string[];
                /** @description Currency code of the value, such as USD, GBP or EUR. Only for `ggr`, `turnover`. */
                fx?: string[];
                /** @description Local currency code. Only for `fx`. */
                fx_local_currency?: string[];
                /** @description Time classification, such as Current or Forecast. Only for `ggr`, `turnover`, `fx`, `country`. */
                temporal?: string[];
                /** @description Calculation method, such as Reported, Calculated or Estimated. Only for `fx`, `country`. */
                calculation?: string[];
                /** @description Kind of country, such as Tracked or Amalgamated. Only for `country_reference`. */
                country_type?: string[];
            };
            header?: {
                /** @description The snapshot that answers: an id, a month (its last retained revision) or a day (what was current at its end, UTC). Without it the current snapshot answers. */
                "X-Snapshot"?: string;
                /** @description `handling=strict` refuses filter values that the dataset does not have. */
                Prefer?: string;
                /** @description ETags of answers that the client has, or `*`: the answer is 304 without a body when one of them is still right. */
                "If-None-Match"?: string;
                /** @description One range of a published `.parquet` file: the answer is 206 with this part. */
                Range?: string;
                /** @description Strong ETags of a published `.parquet` file, or `*`: the answer is 412 when the file has none of them. */
                "If-Match"?: string;
                /** @description The strong ETag of the file that the client has a part of. If the file has another ETag, the whole file is sent. */
                "If-Range"?: string;
            };
            path: {
                dataset: "ggr" | "turnover" | "fx" | "country" | "country_reference";
                format: "parquet" | "csv" | "arrow" | "xlsx";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "X-Snapshot": components["headers"]["X-Snapshot"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Repr-Digest": components["headers"]["Repr-Digest"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": string;
                    "text/csv": string;
                    "application/vnd.apache.arrow.file": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            /** @description The part of the published file that `Range` asks for. */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "X-Snapshot": components["headers"]["X-Snapshot"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Repr-Digest": components["headers"]["Repr-Digest"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description Nothing has changed since the answer with that ETag. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "X-Snapshot": components["headers"]["X-Snapshot"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is wrong; the body says where. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Link: components["headers"]["Help"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            416: components["responses"]["RangeNotSatisfiable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadTooLarge"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of answers that the client has, or `*`: the answer is 304 without a body when one of them is still right. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "X-Snapshot": components["headers"]["X-Snapshot"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
            /** @description Nothing has changed since the answer with that ETag. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "X-Snapshot": components["headers"]["X-Snapshot"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is wrong; the body says where. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Link: components["headers"]["Help"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadTooLarge"];
            500: components["responses"]["Unexpected"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of answers that the client has, or `*`: the answer is 304 without a body when one of them is still right. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description Nothing has changed since the answer with that ETag. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            431: components["responses"]["HeadTooLarge"];
            500: components["responses"]["Unexpected"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            431: components["responses"]["HeadTooLarge"];
            500: components["responses"]["Unexpected"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            431: components["responses"]["HeadTooLarge"];
            500: components["responses"]["Unexpected"];
            /** @description Something is missing; the body says what. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
}
