import { Hex, Id, Json } from '@firn/codec'
import { type Endpoint, Exchange, HttpRules } from '@firn/node-api'
import { Endpoint as PeerEndpoint } from '@firn/p2p'
import type { Change } from './Change.ts'
import type { Devnet } from './Devnet.ts'
import { DevnetError } from './DevnetError.ts'
import { parseChange } from './internal/changeJson.ts'

type Body = Readonly<Record<string, Json.Json | undefined>>

/**
 * Returns the endpoints through which other processes change the devnet: `GET /devnet`, `POST
 * /devnet/messages`, `/devnet/blocks`, `/devnet/uptimes`, `/devnet/transactions`, `/devnet/faults`,
 * `/devnet/disconnect`, `/devnet/advance`. Callers that are not on loopback are rejected.
 */
export function createAdmin(devnet: Devnet): (path: string) => Endpoint | undefined {
  const endpoints = new Map([['/devnet', createEndpoint('GET', () => describe(devnet))]])
  for (const [name, act] of Object.entries(ACTIONS))
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
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as Body
  throw mismatch('body', 'a JSON object', json as Json.Json)
}

const ACTIONS: Readonly<Record<string, (devnet: Devnet, body: Body) => Json.Json>> = {
  messages: acceptMessage,
  blocks(devnet, { chain, hash, nodes }) {
    devnet.acceptBlock(text(chain, 'chain'), bytes(hash, 'hash'), indices(nodes))
    return {}
  },
  uptimes(devnet, { chain, validationID: validationId, seconds }) {
    devnet.setUptime(
      text(chain, 'chain'),
      Id.parse(text(validationId, 'validationID')),
      BigInt(text(String(seconds), 'seconds')),
    )
    return {}
  },
  transactions: (devnet, { tx }) => ({ txID: Id.format(devnet.acceptTransaction(bytes(tx, 'tx'))) }),
  faults(devnet, { faults, clear }) {
    if (clear === true) devnet.clearFaults()
    if (faults !== undefined) devnet.setFaults(faults)
    return { faults: faultList(devnet) }
  },
  disconnect(devnet, { nodes }) {
    const chosen = indices(nodes) ?? devnet.validators.map(({ index }) => index)
    for (const index of chosen) devnet.validators[index]?.disconnect()
    return {}
  },
  advance,
}

function acceptMessage(devnet: Devnet, { chain, payload, sourceAddress, message, nodes }: Body): Json.Json {
  const name = text(chain ?? 'C', 'chain')
  const accepted = message === undefined ? fromPayload() : bytes(message, 'message')
  if (message !== undefined) devnet.acceptUnsigned(name, accepted, indices(nodes))
  return { message: Hex.encode(accepted), messageID: Id.format(Id.hash(accepted)) }

  function fromPayload(): Uint8Array {
    const known = indices(nodes)
    return devnet.acceptMessage({
      chain: name,
      payload: bytes(payload, 'payload'),
      ...(sourceAddress === undefined ? {} : { sourceAddress: bytes(sourceAddress, 'sourceAddress') }),
      ...(known === undefined ? {} : { nodes: known }),
    })
  }
}

function advance(devnet: Devnet, { blocks = 1, changes = [], seconds = 0 }: Body): Json.Json {
  if (!Array.isArray(changes)) throw mismatch('changes', 'an array of changes', changes)
  if (typeof seconds !== 'number' || !(seconds >= 0))
    throw mismatch('seconds', 'a number of seconds', seconds)
  const parsed: readonly Change[] = changes.map((change) => parseChange(change, devnet))
  devnet.passTime(seconds * 1000)
  devnet.advance(parsed)
  for (let count = 1; count < Number(blocks); count += 1) devnet.advance()
  return {
    height: devnet.state.height.toString(),
    time: devnet.state.time.toString(),
    epoch: epochOf(devnet),
  }
}

function epochOf({ timeline }: Devnet): Json.Json {
  const { number, startTime, pChainHeight } = timeline.epoch()
  return {
    number: number.toString(),
    startTime: startTime.toString(),
    pChainHeight: pChainHeight.toString(),
  }
}

/** Returns the description of a devnet, for `GET /devnet` and for the line printed at startup. */
export function describe(devnet: Devnet): { readonly [member: string]: Json.Json } {
  const { p, x, c } = devnet.chains
  return {
    networkID: devnet.networkId,
    rpcUrl: devnet.rpcUrl,
    infoApi: `${devnet.rpcUrl}/ext/info`,
    pChainApi: `${devnet.rpcUrl}/ext/bc/P`,
    height: devnet.state.height.toString(),
    proposedHeight: devnet.timeline.proposedHeight(devnet.nowMs()).toString(),
    chains: { P: Id.format(p.id), X: Id.format(x.id), C: Id.format(c.id) },
    l1s: devnet.l1s.map(({ name, subnetId, chain }) => ({
      name,
      subnetID: Id.format(subnetId),
      blockchainID: Id.format(chain.id),
    })),
    validators: devnet.validators.map((validator) => ({
      index: validator.index,
      nodeID: validator.nodeIdText,
      publicKey: Hex.encode(validator.publicKey),
      weight: validator.weight.toString(),
      address: PeerEndpoint.format(validator.address),
      fault: validator.fault as Json.Json,
      ...validator.counters,
    })),
  }
}

function faultList(devnet: Devnet): Json.Json {
  const faulty = devnet.validators.filter(({ fault }) => fault !== null)
  return Object.fromEntries(faulty.map(({ index, fault }) => [String(index), fault as Json.Json]))
}

function mismatch(name: string, expected: string, got: Json.Json | undefined): DevnetError {
  const shown = got === undefined ? 'nothing' : Json.stringify(got).slice(0, 80)
  return new DevnetError('DEVNET_OPTIONS', `${name}: expected ${expected}, got ${shown}`)
}

function text(value: Json.Json | undefined, name: string): string {
  if (typeof value === 'string') return value
  throw mismatch(name, 'a string', value)
}

function bytes(value: Json.Json | undefined, name: string): Uint8Array {
  return Hex.decodeAny(text(value, name))
}

function indices(value: Json.Json | undefined): readonly number[] | undefined {
  if (value === undefined) return undefined
  if (Array.isArray(value) && value.every(Number.isInteger)) return value as readonly number[]
  throw mismatch('nodes', 'an array of node indices', value)
}
