import { CheckedHex, Id, Json } from '@firn/codec'
import { NodeJson, PlatformBlock, PlatformTx, PlatformUtxo } from '@firn/txs'
import * as Case from '../Case.ts'
import { checkContainer } from './container.ts'
import type { Folder } from './RecordedChain.ts'

/** Checks a recorded P-chain block: bytes, id, container, and conversions to and from JSON. */
export function block(it: Case.Case, { networkId }: Folder): void {
  const bytes = CheckedHex.decode(Case.text(it, 'blockBytes'))
  const decoded = PlatformBlock.decode(bytes)
  Case.same('blockBytes', bytes, PlatformBlock.encode(decoded))
  Case.equals(it, 'id', Id.format(Id.hash(bytes)))
  Case.equals(it, 'height', Number(decoded.height))
  Case.equals(it, 'timestamp', 'time' in decoded ? Number(decoded.time) : null)
  const json = Case.given(it, 'json') as Json.Json
  const context = NodeJson.context(networkId, 'P')
  Case.same('json', Json.stringify(json), Json.stringify(PlatformBlock.toJSON(decoded, context)))
  Case.same(
    'blockBytes after encoding the JSON',
    bytes,
    PlatformBlock.encode(PlatformBlock.fromJSON(json, context)),
  )
  checkContainer(it, Number(decoded.height), bytes)
}

/**
 * Checks a recorded P-chain transaction: bytes, id, conversions to and from JSON, and the UTXOs of its
 * rewards.
 */
export function tx(it: Case.Case, { networkId }: Folder): void {
  const hex = Case.record(it, 'hex')
  const bytes = CheckedHex.decode(Case.text(hex, 'tx'))
  Case.equals(hex, 'encoding', 'hex')
  Case.close(hex)
  const decoded = PlatformTx.decode(bytes)
  Case.same('hex.tx', bytes, PlatformTx.encode(decoded))
  Case.equals(it, 'id', Id.format(PlatformTx.id(bytes)))
  const answer = Case.record(it, 'json')
  const json = Case.given(answer, 'tx') as Json.Json
  Case.equals(answer, 'encoding', 'json')
  Case.close(answer)
  const context = NodeJson.context(networkId, 'P')
  Case.same('json.tx', Json.stringify(json), Json.stringify(PlatformTx.toJSON(decoded, context)))
  Case.same('hex.tx after encoding the JSON', bytes, PlatformTx.encode(PlatformTx.fromJSON(json, context)))
  if (Case.has(it, 'rewardUTXOs')) checkRewards(Case.record(it, 'rewardUTXOs'))
  // The status and height of a transaction are not part of its bytes.
  Case.ignore(it, 'height', 'status')
}

function checkRewards(rewards: Case.Case): void {
  const texts = Case.list(rewards, 'utxos') as readonly string[]
  const read = texts.map((text) => PlatformUtxo.decode(CheckedHex.decode(text)))
  Case.equals(
    rewards,
    'utxos',
    read.map((utxo) => CheckedHex.encode(PlatformUtxo.encode(utxo))),
  )
  Case.equals(rewards, 'numFetched', String(read.length))
  Case.equals(rewards, 'encoding', 'hex')
  Case.close(rewards)
}
