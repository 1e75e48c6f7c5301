import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Avalanche } from '@avalanche-sdk/chainkit'
import { ClientSDK } from '@avalanche-sdk/chainkit/lib/sdks.js'

/** A method of the official client. For tests only. */
export interface SdkMethod {
  /** Name below the client, such as `data.evm.blocks.get`. */
  readonly name: string
  /** Path template of the endpoint that the method calls; undefined if it sends no request. */
  readonly path: string | undefined
}

/** Returns all methods of the official client, as its classes declare them. For tests only. */
export function sdkMethods(): readonly SdkMethod[] {
  return methodsOf(new Avalanche({ enableTelemetry: false }), ClientSDK, (module) =>
    fileURLToPath(import.meta.resolve(`@avalanche-sdk/chainkit/funcs/${module}.js`)),
  )
}

/**
 * Returns all methods of a generated client, whose groups are of the class `Group`. `fileOf` returns the file of the
 * package's module that sends a request. For tests only.
 */
export function methodsOf(
  sdk: object,
  Group: abstract new (...given: never) => object,
  fileOf: (module: string) => string,
): readonly SdkMethod[] {
  const names = [...namesIn(sdk, Group, [])]
  return names.map((parts) => ({ name: parts.join('.'), path: pathOf(parts, fileOf) }))
}

/** Calls a method of the client by its name. If the method returns pages, reads up to two. For tests only. */
export async function callSdk(sdk: object, name: string, request: object | undefined): Promise<unknown> {
  const parts = name.split('.')
  // biome-ignore lint/suspicious/noExplicitAny: the method is selected by its name
  const owner = parts.slice(0, -1).reduce((part: any, member) => part[member], sdk)
  const method = owner[parts.at(-1) ?? '']
  const answer = await (request === undefined ? method.call(owner) : method.call(owner, request))
  if (typeof answer !== 'object' || answer === null || !(Symbol.asyncIterator in answer)) return answer
  const pages: unknown[] = []
  for await (const page of answer as AsyncIterable<unknown>) if (pages.push(page) === 2) break
  return pages
}

function* namesIn(
  part: object,
  Group: abstract new (...given: never) => object,
  before: readonly string[],
): Iterable<readonly string[]> {
  const members = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(part))
  for (const [name, { get, value }] of Object.entries(members)) {
    if (name === 'constructor') continue
    const own = [...before, name]
    if (typeof value === 'function') yield own
    const child = get?.call(part)
    if (child instanceof Group) yield* namesIn(child, Group, own)
  }
}

/** Reads the path from the module of the package that sends the request. */
function pathOf(parts: readonly string[], fileOf: (module: string) => string): string | undefined {
  const [first = '', ...rest] = parts
  const module = first + rest.map((part) => part.replace(/^./, (letter) => letter.toUpperCase())).join('')
  return /pathToFunc\)?\(\s*"([^"]+)"/.exec(readFileSync(fileOf(module), 'utf8'))?.[1]
}
