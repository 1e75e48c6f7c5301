import { Hex, isJsonObject, Json } from '@firn/codec'
import { type Endpoint, Exchange, HttpRules } from '@firn/node-api'
import { Endpoint as PeerEndpoint } from '@firn/p2p'
import { DevnetError } from '../DevnetError.ts'
import type { Fault } from '../Fault.ts'

/** The members of a request's JSON object. */
export type Body = Readonly<Record<string, Json.Json | undefined>>

/** Actions by the name that follows `/devnet/` in the path. */
export type Actions<D> = Readonly<Record<string, (devnet: D, body: Body) => Json.Json>>

/**
 * Returns the endpoints through which other processes read and change a devnet: `GET /devnet`, and POST for each
 * action. Callers that are not on loopback are rejected.
 */
export function createEndpoints<D>(
  devnet: D,
  describe: (devnet: D) => Json.Json,
  actions: Actions<D>,
): (path: string) => Endpoint | undefined {
  const endpoints = new Map([['/devnet', createEndpoint('GET', () => describe(devnet))]])
  for (const [name, act] of Object.entries(actions))
    endpoints.set(
      `/devnet/${name}`,
      createEndpoint('POST', (body) => act(devnet, body)),
    )
  return (path) => endpoints.get(path)
}

function createEndpoint(method: 'GET' | 'POST', act: (body: Body) => Json.Json): Endpoint {
  return {
    handle(exchange) {
      const { request } = exchange
      if (request.method !== method) return Exchange.refuse(exchange, HttpRules.NOT_FOUND)
      if (!PeerEndpoint.isLoopback(request.socket.remoteAddress ?? ''))
        return Exchange.text(exchange, 403, "the devnet's admin endpoints accept only callers on loopback\n")
      Exchange.readBody(exchange, (body) => {
        try {
          send(exchange, 200, act(parseBody(body)))
        } catch (error) {
          fail(exchange, error)
        }
      })
    },
  }
}

function send(exchange: Exchange.Exchange, status: number, value: Json.Json): void {
  Exchange.send(exchange, status, ['Content-Type', HttpRules.JSON_TYPE], `${Json.stringify(value)}\n`)
}

function fail(exchange: Exchange.Exchange, error: unknown): void {
  const isKnown = error instanceof Error && 'code' in error
  send(exchange, isKnown ? 400 : 500, {
    error: error instanceof Error ? error.message : String(error),
    code: isKnown ? String(error.code) : 'INTERNAL',
  })
}

function parseBody(bytes: Uint8Array): Body {
  const json = bytes.length === 0 ? {} : Json.parse(new TextDecoder().decode(bytes))
  if (isJsonObject(json)) return json as Body
  throw mismatch('body', 'a JSON object', json as Json.Json)
}

/** The part of a devnet whose validators have faults. */
interface FaultyDevnet {
  readonly validators: readonly {
    readonly index: number
    readonly fault: Fault | null
    disconnect(): void
  }[]
  setFaults(faults: unknown): void
  clearFaults(): void
}

/** Actions on the validators of any devnet. */
export const VALIDATOR_ACTIONS: Actions<FaultyDevnet> = {
  faults(devnet, { faults, clear }) {
    if (clear === true) devnet.clearFaults()
    if (faults !== undefined) devnet.setFaults(faults)
    const faulty = devnet.validators.filter(({ fault }) => fault !== null)
    return {
      faults: Object.fromEntries(faulty.map(({ index, fault }) => [String(index), fault as Json.Json])),
    }
  },
  disconnect(devnet, { nodes }) {
    const chosen = indices(nodes) ?? devnet.validators.map(({ index }) => index)
    for (const index of chosen) devnet.validators[index]?.disconnect()
    return {}
  },
}

/** Returns the error for a member of a request with a wrong value. */
export function mismatch(name: string, expected: string, got: Json.Json | undefined): DevnetError {
  const shown = got === undefined ? 'nothing' : Json.stringify(got).slice(0, 80)
  return new DevnetError('DEVNET_OPTIONS', `${name}: expected ${expected}, got ${shown}`)
}

/** Reads a member that must be a string. */
export function text(value: Json.Json | undefined, name: string): string {
  if (typeof value === 'string') return value
  throw mismatch(name, 'a string', value)
}

/** Reads a member that must be hex, with or without a prefix. */
export function bytes(value: Json.Json | undefined, name: string): Uint8Array {
  return Hex.decodeAny(text(value, name))
}

/** Reads a member that lists indices of nodes; undefined if it is missing. */
export function indices(value: Json.Json | undefined): readonly number[] | undefined {
  if (value === undefined) return undefined
  if (Array.isArray(value) && value.every(Number.isInteger)) return value as readonly number[]
  throw mismatch('nodes', 'an array of node indices', value)
}
