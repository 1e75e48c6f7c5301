import type { IncomingMessage } from 'node:http'
import { Schema } from '@firn/rpc'
import { type MethodName, REQUEST } from '../Units.ts'

/** Size of a usual request in bytes, which is part of {@link REQUEST}. */
const USUAL_BYTES = 1_024
/** Bytes that take about as long to parse as a lookup does, if they consist of many short members. */
const BYTES_PER_UNIT = 256
const ANSWER_BYTES_PER_UNIT = 4_096
const BYTES_PER_TUNNEL_UNIT = 128
const ELEMENTS_PER_UNIT = 10
/** No method returns more elements. */
const MAX_ELEMENTS = 65_535

/** Returns the units of a request body, besides {@link REQUEST}. */
export function bodyUnits(bytes: number): number {
  return Math.ceil(Math.max(0, bytes - USUAL_BYTES) / BYTES_PER_UNIT)
}

/** Returns the units of an answer that was not in the cache, besides the units of its method. */
export function answerUnits(bytes: number): number {
  return Math.max(0, Math.ceil(bytes / ANSWER_BYTES_PER_UNIT) - 1)
}

/** Parameters that say how many elements an answer has. */
const REQUESTED: Readonly<Partial<Record<string, string>>> = {
  'platform.sampleValidators': 'size',
  'index.getContainerRange': 'numToFetch',
} satisfies Partial<Record<MethodName, string>>

/** Returns the units of the elements that an answer will have, if the parameters of the call say so. */
export function requestedUnits(method: string, params: unknown): number {
  const name = REQUESTED[method]
  const count = name === undefined ? 0 : Number((params as Readonly<Record<string, unknown>>)[name] ?? 0)
  return Math.floor(Math.min(count, MAX_ELEMENTS) / ELEMENTS_PER_UNIT)
}

/**
 * Returns the units of bytes of a WebSocket that is forwarded. A call in it is seldom shorter than 128 bytes, so it costs
 * about as much as a lookup at least.
 */
export function tunnelUnits(bytes: number): number {
  return bytes / BYTES_PER_TUNNEL_UNIT
}

/**
 * Returns the units of the elements of all lists in parameters. Each id or address must be decoded, which costs several
 * times as much as parsing its text.
 */
export function elementUnits(params: unknown): number {
  let elements = 0
  const open: unknown[] = [params]
  while (open.length > 0) {
    const value = open.pop()
    if (!Array.isArray(value) && !Schema.isObject(value)) continue
    const children: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
    if (children === value) elements += children.length
    // Pushing with a spread would overflow the stack for long lists. Numbers are objects, too.
    for (const child of children) {
      if (Array.isArray(child) || Schema.isObject(child)) open.push(child)
    }
  }
  return Math.floor(elements / ELEMENTS_PER_UNIT)
}

/** Returns the announced length of a request's body in bytes; 0 if it is unknown. */
export function announcedLength({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0)
}
