import { Hex, Id, isJsonObject, Json, NodeId } from '@firn/codec'
import type { Change } from '../Change.ts'
import type { Devnet } from '../Devnet.ts'
import { DevnetError } from '../DevnetError.ts'
import { derive } from '../Seed.ts'

type Members = Readonly<Record<string, Json.Json | undefined>>

const KINDS = ['set-primary', 'create-subnet', 'create-chain', 'register', 'set-weight', 'set-balance']

/**
 * Parses a change from JSON. The kinds and their members are `set-primary` `{"node": 3 | "NodeID-…",
 * "weight": "5", "publicKey"?}`, `create-subnet` `{name}`, `create-chain` `{name, subnetID}`, `register`
 * `{message, balance}`, `set-weight` `{validationID, nonce, weight}` and `set-balance` `{validationID,
 * balance}`. Amounts are numbers or decimal text.
 */
export function parseChange(json: Json.Json, devnet: Devnet): Change {
  if (!isJsonObject(json)) throw wrong('change', 'a JSON object', json)
  const members = json as Members
  switch (members['kind']) {
    case 'set-primary':
      return { kind: 'set-primary', ...nodeOf(members, devnet), weight: amount(members, 'weight') }
    case 'create-subnet':
      return { kind: 'create-subnet', subnetId: derive('devnet', 'subnet', text(members, 'name')) }
    case 'create-chain':
      return {
        kind: 'create-chain',
        subnetId: id(members, 'subnetID'),
        chainId: derive('devnet', 'chain', text(members, 'name')),
        name: text(members, 'name'),
      }
    case 'register':
      return {
        kind: 'register',
        message: Hex.decodeAny(text(members, 'message')),
        balance: amount(members, 'balance'),
      }
    case 'set-weight':
      return {
        kind: 'set-weight',
        validationId: id(members, 'validationID'),
        nonce: amount(members, 'nonce'),
        weight: amount(members, 'weight'),
      }
    case 'set-balance':
      return {
        kind: 'set-balance',
        validationId: id(members, 'validationID'),
        balance: amount(members, 'balance'),
      }
    default:
      throw wrong('kind', KINDS.join(', '), members['kind'])
  }
}

function nodeOf(
  members: Members,
  devnet: Devnet,
): { readonly nodeId: Uint8Array; readonly publicKey: Uint8Array | null } {
  const { node } = members
  const known = devnet.validators.find(({ index, nodeIdText }) => index === node || nodeIdText === node)
  if (known !== undefined) return { nodeId: known.nodeId, publicKey: known.publicKey }
  const publicKey = members['publicKey'] === undefined ? null : Hex.decodeAny(text(members, 'publicKey'))
  return { nodeId: NodeId.parse(text(members, 'node')), publicKey }
}

function text(members: Members, name: string): string {
  const value = members[name]
  if (typeof value === 'string') return value
  throw wrong(name, 'a string', value)
}

function id(members: Members, name: string): Uint8Array {
  return Id.parse(text(members, name))
}

function amount(members: Members, name: string): bigint {
  const value = String(members[name])
  if (/^[0-9]{1,20}$/.test(value)) return BigInt(value)
  throw wrong(name, 'a whole number of at most 20 digits', members[name])
}

function wrong(name: string, expected: string, got: Json.Json | undefined): DevnetError {
  const shown = got === undefined ? 'nothing' : Json.stringify(got)
  return new DevnetError('DEVNET_OPTIONS', `${name}: expected ${expected}, got ${shown}`)
}
