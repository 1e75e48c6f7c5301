import { list, make as makeBody, VALUES } from './bodies.ts'
import type { Door, Method } from './Door.ts'
import type { Step } from './plan.ts'
import { type Shot, withBody } from './shots.ts'

type Params = Method['params']

/** Returns the requests of the walk to a JSON-RPC method, with arguments of about `bytes` bytes. For tests only. */
export function methodSteps(door: Door, { path, name, params }: Method, bytes: number): readonly Step[] {
  const step = (title: string, argument: () => string): Step => {
    const make: Shot = (target) =>
      withBody(target, `{"jsonrpc":"2.0","id":1,"method":"${name}","params":${argument()}}`)
    return {
      ...{ door, route: { method: 'POST', path }, kind: 'cost', caller: 'within limits', isParsed: true },
      ...{ name: `${name} ${title}`, isEssential: title === 'plain', make, reference: make },
    }
  }
  return [
    step('plain', () => JSON.stringify(params)),
    ...VALUES.map((value) => step(value, () => withFirst(params, makeBody(value, bytes)))),
    ...listsIn(params).map(([member, first]) =>
      step(`long ${member}`, () => withMember(params, member, list(JSON.stringify(first), bytes))),
    ),
  ]
}

/** Returns arguments as JSON, with another value for the first of them. */
function withFirst(params: Params, value: string): string {
  const [first] = Object.keys(params)
  return first === undefined ? value : withMember(params, first, value)
}

/** Returns arguments as JSON, with another value for one of them. */
function withMember(params: Params, member: string, value: string): string {
  const values = Object.entries(params).map(
    ([name, own]) => [name, name === member ? value : JSON.stringify(own)] as const,
  )
  if (Array.isArray(params)) return `[${values.map(([, text]) => text).join(',')}]`
  return `{${values.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`
}

/** Returns the names and the first items of the lists among arguments. */
function listsIn(params: Params): readonly (readonly [member: string, first: unknown])[] {
  return Object.entries(params).flatMap(([member, value]) =>
    Array.isArray(value) && value.length > 0 ? [[member, value[0]] as const] : [],
  )
}
