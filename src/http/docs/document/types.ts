// The parts of the OpenAPI document that the documentation pages use.

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

export interface DocumentedOperation {
  readonly operationId: string;
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
    Record<
      string,
      { readonly schema?: JsonSchema; readonly examples?: Readonly<Record<string, DocumentedExample>> }
    >
  >;
}

export interface DocumentedExample {
  readonly summary: string;
  readonly value: unknown;
}

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly anyOf?: readonly JsonSchema[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
}
