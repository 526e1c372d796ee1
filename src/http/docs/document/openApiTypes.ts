// The parts of the OpenAPI document that the documentation pages use.

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, { readonly get: DocumentedOperation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

export interface DocumentedOperation {
  readonly parameters?: readonly DocumentedParameter[];
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

export interface DocumentedParameter {
  readonly in: 'query' | 'path' | 'header';
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

export interface DocumentedResponse {
  readonly description: string;
  readonly content?: Readonly<
    Record<string, { readonly examples?: Readonly<Record<string, DocumentedExample>> }>
  >;
}

export interface DocumentedExample {
  readonly summary: string;
  readonly value: unknown;
}

export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly items?: JsonSchema;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
}
