import type { RouteList } from '@firn/http'
import { needOf } from '../accessTable.ts'
import { make as makeBody, VALUES, type Value } from './bodies.ts'
import type { Door } from './Door.ts'
import { methodSteps } from './methods.ts'
import {
  ENDLESS,
  framed,
  HEADS,
  PLAIN,
  SENDINGS,
  type Shot,
  type Target,
  TOO_LARGE,
  WITHHELD,
  withBody,
} from './shots.ts'

/** Who sends a request: an address with units left or without, an unknown key, or a key without units. For tests only. */
export type Caller = 'within limits' | 'unknown key' | 'address beyond its limit' | 'key beyond its limit'

/** What is expected of the answer to a request. For tests only. */
export type Kind =
  /** The request costs not much more than reading and parsing the same bytes. */
  | 'cost'
  /** The answer is a refusal, which comes although the body is not sent, and costs little. */
  | 'refusal'
  /** The connection is closed before many bytes are taken. */
  | 'end'

/** One request of the walk. For tests only. */
export interface Step {
  readonly door: Door
  readonly route: RouteList.Route
  readonly name: string
  readonly kind: Kind
  readonly caller: Caller
  readonly make: Shot
  /** The request to the bare server with which the cost is compared, and whether that server parses the body. */
  readonly reference: Shot
  readonly isParsed: boolean
  /** Whether the step is part of every walk. Of the others, a short walk sends some to each route. */
  readonly isEssential: boolean
}

/** Whether all requests are sent to all routes, or each request only to some routes of each server. For tests only. */
export interface Extent {
  readonly isLong: boolean
}

/** Returns the names of the members of a route's body. For tests only. */
export type Members = (route: RouteList.Route) => readonly string[]

/** Size of bodies to routes, in bytes: the maximum of most servers. */
const BODY_BYTES = 2 ** 20
/** Size of arguments of JSON-RPC methods in a short walk, in bytes. */
const ARGUMENT_BYTES = 2 ** 18
/** Room for what surrounds a value in a body, in bytes. */
const SURROUNDING = 1_024
/** A short walk sends one of so many requests that are not essential. */
const SHARE = 8

/** Routes that no server has. */
const UNKNOWN: readonly RouteList.Route[] = [
  { method: 'GET', path: '/nothing/{here}' },
  { method: 'POST', path: '/nothing/{here}' },
]

/** Returns all requests of the walk to one server. For tests only. */
export function stepsOf(door: Door, { isLong }: Extent, members: Members): readonly Step[] {
  const routes = [...door.routes, ...UNKNOWN].filter(
    ({ method }) => method !== 'HEAD' && method !== 'OPTIONS',
  )
  const argument = isLong ? BODY_BYTES : ARGUMENT_BYTES
  const groups = [
    ...routes.map((route) => routeSteps(door, route, members)),
    ...door.methods.map((method) =>
      methodSteps(door, method, Math.min(argument, door.bodyBytes) - SURROUNDING),
    ),
  ]
  if (isLong) return groups.flat()
  return groups.flatMap((steps, group) =>
    steps.filter(({ isEssential }, index) => isEssential || (index + group) % SHARE === 0),
  )
}

const takesBody = ({ method }: RouteList.Route) =>
  ['POST', 'PUT', 'PATCH', 'DELETE', 'QUERY'].includes(method)

/** Requests that a short walk sends to every route. */
const ESSENTIAL = new Set(['plain', 'many parameters', 'digits', 'numbers'])

function routeSteps(door: Door, route: RouteList.Route, members: Members): readonly Step[] {
  const bytes = Math.min(BODY_BYTES, door.bodyBytes) - SURROUNDING
  const within = (name: string, make: Shot, isParsed: boolean, reference = make): Step => ({
    ...{ door, route, kind: 'cost', caller: 'within limits', name, make, isParsed, reference },
    isEssential: ESSENTIAL.has(name),
  })
  const heads = Object.entries({ ...HEADS, ...SENDINGS }).map(([name, make]) => within(name, make, false))
  const [member] = members(route)
  const bodies = (takesBody(route) ? VALUES : (['digits'] as const)).flatMap((value: Value) => {
    const root: Shot = (target) => withBody(target, makeBody(value, bytes))
    const inside: Shot = (target) => withBody(target, `{"${member}":${makeBody(value, bytes)}}`)
    return [
      within(value, root, true),
      ...(member === undefined ? [] : [within(`${member}: ${value}`, inside, true)]),
    ]
  })
  const frames = (route.path.endsWith('/ws') ? VALUES : []).map((value) => {
    const body: Shot = (target) => withBody({ ...target, method: 'POST' }, makeBody(value, bytes))
    return within(`frame of ${value}`, (target) => framed(target, makeBody(value, bytes)), true, body)
  })
  return [...heads, ...bodies, ...frames, ...refusals(door, route), end(door, route)]
}

/** Size of bodies of callers that are refused, in bytes. */
const REFUSED_BYTES = 2 ** 19

function refusals(door: Door, route: RouteList.Route): readonly Step[] {
  // The path has a token without a limit.
  const isUnlimited = needOf(door.server, route.method, route.path) === 'bypass token'
  const refusal = (name: string, caller: Caller, make: Shot): Step => ({
    ...{ door, route, kind: 'refusal', isParsed: false, name, caller, make },
    ...(name === 'digits'
      ? { isEssential: false, reference: make }
      : { isEssential: true, reference: PLAIN }),
  })
  const refused = (caller: Caller, isPossible: boolean) =>
    isPossible && !isUnlimited
      ? [
          refusal('body withheld', caller, WITHHELD),
          refusal('digits', caller, (target) => withBody(target, makeBody('digits', REFUSED_BYTES))),
        ]
      : []
  return [
    ...refused('unknown key', door.unknownKey !== undefined),
    ...refused('key beyond its limit', door.spentKey !== undefined),
    ...refused('address beyond its limit', door.spending !== undefined),
    ...(takesBody(route) ? [refusal('too large body withheld', 'within limits', TOO_LARGE)] : []),
  ]
}

function end(door: Door, route: RouteList.Route): Step {
  return {
    ...{
      door,
      route,
      kind: 'end',
      caller: 'within limits',
      isParsed: false,
      make: ENDLESS,
      reference: PLAIN,
    },
    // A server that takes 128 MiB gets them rarely.
    ...{ name: 'body without end', isEssential: door.bodyBytes <= 2 ** 24 },
  }
}

/** Values of path parameters. The objects that they name need not exist. */
const PARTS: Readonly<Record<string, string>> = {
  network: 'local',
  chainId: '43112',
  metric: 'txCount',
  data: 'log',
  blockchainId: 'p-chain',
  address: `0x${'11'.repeat(20)}`,
}

/** Scopes of the keys without which routes are not served, by what the routes need. */
const KEYED: Readonly<Record<string, string>> = { webhooks: 'webhooks', usage: 'usage', operator: 'admin' }

/** Routes whose answers do not end. */
const STREAMS = new Set(['/v1/changes/{chainId}', '/v1/jobs/{jobId}/events', '/v1/webhooks/{id}/messages'])

/** Returns the target of a step, sent by a caller with the given headers. For tests only. */
export function targetOf({ door, route, caller }: Step, headers: Readonly<Record<string, string>>): Target {
  const path = route.path
    .replace(/\{(\w+)\}/g, (_whole, name: string) => door.parts[name] ?? PARTS[name] ?? 'x')
    .replace(/\*$/, 'x')
  const need = needOf(door.server, route.method, route.path) ?? 'nothing'
  const key = caller === 'within limits' ? door.keys[KEYED[need] ?? ''] : undefined
  return {
    method: route.method,
    path,
    headers: { ...key, ...headers },
    headerBytes: door.headerBytes,
    until: STREAMS.has(route.path) ? 'head' : undefined,
  }
}
