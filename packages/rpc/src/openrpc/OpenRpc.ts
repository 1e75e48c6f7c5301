import { Json } from '@firn/codec'
import type { Shape } from '../Layout.ts'
import { APIS, type Api, type MethodName } from './Apis.ts'
import { EXAMPLES } from './Examples.ts'
import { type JsonSchema, toJsonSchema } from './JsonSchema.ts'
import { NAMED } from './Names.ts'

/** An OpenRPC document. */
export interface OpenRpcDocument {
  readonly openrpc: string
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly methods: readonly OpenRpcMethod[]
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly errors: Readonly<Record<string, { readonly code: number; readonly message: string }>>
  }
}

/** A method of the document. */
export interface OpenRpcMethod {
  readonly name: string
  readonly summary: string
  readonly tags: readonly { readonly name: string }[]
  /** The URLs at which the method is served, with their paths as names. */
  readonly servers: readonly { readonly name: string; readonly url: string }[]
  readonly paramStructure: 'by-name'
  readonly params: readonly {
    readonly name: string
    readonly summary: string
    readonly required: boolean
    readonly schema: JsonSchema
  }[]
  readonly result: { readonly name: string; readonly schema: JsonSchema }
  readonly errors: readonly { readonly $ref: string }[]
  readonly examples: readonly {
    readonly name: string
    readonly params: readonly { readonly name: string; readonly value: unknown }[]
    readonly result: { readonly name: string; readonly value: unknown }
  }[]
}

/** Options of {@link createOpenRpc}. */
export interface OpenRpcOptions {
  readonly title: string
  readonly version: string
  /** Base URL of the node, such as `http://127.0.0.1:9650`. */
  readonly url: string
  /** Returns whether a method is served at a path such as `/ext/bc/P`; by default, all are. */
  readonly isServed?: (path: string, method: string) => boolean
}

const DESCRIPTION = [
  'Send JSON-RPC 2.0 requests with POST to the path of the method, with the arguments as an object.',
  'Most integers in responses are decimal strings; the schemas tell which.',
  'Arguments may be quoted or bare numbers.',
  'Methods of EVM chains (`eth_…`) are not in this document.',
].join(' ')

const ERRORS = {
  MethodError: {
    code: -32000,
    message: 'the method failed, does not exist, or got an invalid argument; the message tells why',
  },
  InvalidRequest: { code: -32600, message: 'jsonrpc must be 2.0' },
  ParseError: { code: -32700, message: 'the body is not a JSON-RPC request; batches are not accepted' },
} as const

const NAMES = new Map(Object.entries(NAMED).map(([name, shape]) => [shape, name]))

/**
 * Returns the OpenRPC 1.3 document of a node's APIs, which is derived from their method tables. Never throws.
 * @example
 * ```ts
 * import { createOpenRpc } from '@firn/rpc/openrpc'
 *
 * const { methods } = createOpenRpc({ title: 'My node', version: '1.0.0', url: 'http://127.0.0.1:9650' })
 * console.log(methods.map(({ name }) => name)) // ['info.acps', …]
 * ```
 */
export function createOpenRpc(options: OpenRpcOptions): OpenRpcDocument {
  const { title, version } = options
  return {
    openrpc: '1.3.2',
    info: { title, version, description: DESCRIPTION },
    methods: APIS.flatMap((api) => methodsOf(api, options)),
    components: {
      schemas: Object.fromEntries(
        Object.entries(NAMED).map(([name, shape]) => [name, toJsonSchema(shape, describe)]),
      ),
      errors: ERRORS,
    },
  }
}

function methodsOf(api: Api, { url, isServed = () => true }: OpenRpcOptions): readonly OpenRpcMethod[] {
  return Object.keys(api.table).flatMap((name) => {
    const paths = api.paths.filter((path) => isServed(path, name))
    const servers = paths.map((path) => ({ name: path, url: url + path }))
    return paths.length === 0 ? [] : [methodOf(api, name, servers)]
  })
}

function methodOf(
  { name: tag, table, documentation }: Api,
  name: string,
  servers: OpenRpcMethod['servers'],
): OpenRpcMethod {
  const { params, result } = table[name] as Api['table'][string]
  const { summary, params: summaries = {} } = documentation[name] as Api['documentation'][string]
  const example = EXAMPLES[name as MethodName]
  const members = params.kind === 'struct' ? Object.entries(params.members) : []
  return {
    name,
    summary,
    tags: [{ name: tag }],
    servers,
    paramStructure: 'by-name',
    params: members.map(([param, shape]) => ({
      name: param,
      summary: summaries[param] as string,
      required: shape.kind !== 'optional',
      schema: describe(shape),
    })),
    result: { name: 'result', schema: describe(result) },
    errors: Object.keys(ERRORS).map((error) => ({ $ref: `#/components/errors/${error}` })),
    examples: [
      {
        name,
        params: Object.entries(Json.parse(example.params) as object).map(([param, value]) => ({
          name: param,
          value,
        })),
        result: { name: 'result', value: Json.parse(example.result) },
      },
    ],
  }
}

/** Returns a reference to a named shape, or the JSON Schema of another one. */
function describe(shape: Shape): JsonSchema {
  const name = NAMES.get(shape)
  return name === undefined ? toJsonSchema(shape, describe) : { $ref: `#/components/schemas/${name}` }
}
