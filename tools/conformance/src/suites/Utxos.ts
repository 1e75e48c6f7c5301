import { CheckedHex, type Codec, Id, Json } from '@firn/codec'
import { AtomicUtxo, AvmUtxo, NodeJson, PlatformUtxo, type Utxo, UtxoId } from '@firn/txs'
import * as Case from '../Case.ts'
import { ofDump, ofValue } from '../internal/goFields.ts'
import * as Suite from '../Suite.ts'

type AnyUtxo = Utxo.Utxo<{ readonly type: string }>

/** Functions that decode and check the UTXOs of a chain. */
interface Chain {
  readonly codec: Codec.Codec<AnyUtxo>
  assertValid(utxo: AnyUtxo): void
}

const CHAINS: Readonly<Record<string, Chain>> = {
  P: PlatformUtxo as Chain,
  X: AvmUtxo as Chain,
  C: AtomicUtxo as Chain,
}

/** Index of the property fx, for which the JSON contains only the owners. */
const PROPERTY_INDEX = 2

function chainOf(it: Case.Case): Chain {
  return CHAINS[Case.text(it, 'chain')] as Chain
}

function isValid(utxo: AnyUtxo, { assertValid }: Chain): boolean {
  return Case.attempt(() => assertValid(utxo) ?? true) !== undefined
}

function checkJson(it: Case.Case, utxo: AnyUtxo, { codec }: Chain): void {
  const isProperty = utxo.output.type.startsWith('Property')
  const context = {
    ...NodeJson.context(Case.number(it, 'jsonNetworkID'), Case.text(it, 'chain')),
    ...(isProperty ? { fxIndex: PROPERTY_INDEX } : {}),
  }
  const json = Case.text(it, 'json')
  Case.same('json', json, Json.stringify(codec.toJSON(utxo, context)))
  const back = codec.fromJSON(Json.parse(json), context)
  // In JSON, an owned property looks the same as the right to mint a property.
  const isOwned = utxo.output.type === 'PropertyOwnedOutput'
  const expected = isOwned ? { ...utxo, output: { ...utxo.output, type: 'PropertyMintOutput' } } : utxo
  Case.same('value after decoding the JSON', expected, back)
}

/** Checks the UTXOs of the three chains and their textual ids. */
export const utxos = Suite.create('utxos.json', {
  valid(it) {
    const chain = chainOf(it)
    const bytes = Case.bytes(it, 'bytes')
    const utxo = chain.codec.decode(bytes)
    Case.equals(it, 'bytes', chain.codec.encode(utxo))
    const inputId = UtxoId.inputId(utxo)
    Case.equals(it, 'inputIDBytes', inputId)
    Case.equals(it, 'inputID', Id.format(inputId))
    Case.equals(it, 'utxoIDString', UtxoId.format(utxo))
    const { txID: txId, outputIndex } = utxo
    Case.same('utxoIDString, read', { txID: txId, outputIndex }, UtxoId.parse(Case.text(it, 'utxoIDString')))
    Case.equals(it, 'hexChecksum', CheckedHex.encode(bytes))
    Case.same('fields', ofDump(Case.given(it, 'fields')), ofValue(utxo))
    Case.same('verifyError', Case.given(it, 'verifyError') === null, isValid(utxo, chain))
    checkJson(it, utxo, chain)
    return undefined
  },
  decode(it) {
    const chain = chainOf(it)
    const parsed = Case.verdict(it, () => chain.codec.decode(Case.bytes(it, 'bytes')))
    if (parsed === undefined) return undefined
    Case.equals(it, 'bytes', chain.codec.encode(parsed.value))
    // Cases for a UTXO of another chain contain only the verdict.
    if (!Case.has(it, 'inputID')) return undefined
    Case.equals(it, 'inputID', Id.format(UtxoId.inputId(parsed.value)))
    Case.same('verifyError', Case.given(it, 'verifyError') === null, isValid(parsed.value, chain))
    return undefined
  },
  parseUTXOID(it) {
    const parsed = Case.verdict(it, () => UtxoId.parse(Case.text(it, 'text')))
    if (parsed === undefined) return undefined
    Case.equals(it, 'txID', parsed.value.txID)
    Case.equals(it, 'outputIndex', parsed.value.outputIndex)
    return undefined
  },
})
