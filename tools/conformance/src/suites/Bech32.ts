import { Address, Bech32 } from '@firn/codec'
import * as Case from '../Case.ts'
import * as Suite from '../Suite.ts'

/** Fields that contain the node's error texts, which are not compared. */
const LABELS = ['parseError', 'parseToIDError'] as const

/** Checks `parseToIDOk`, which tells whether the same text is an address of exactly 20 bytes. */
function checkAddress(it: Case.Case, payload: Uint8Array): void {
  const parsed = Case.verdict(it, () => Address.parseBytes(Case.text(it, 'address')), 'parseToIDOk')
  if (parsed !== undefined) Case.same('payload of 20 bytes', payload, parsed.value)
}

/** Checks chain addresses (`chain-bech32`), formatted and parsed by the node's lenient rules. */
export const bech32 = Suite.create('bech32.json', {
  format(it) {
    const [chain, hrp] = [Case.text(it, 'chain'), Case.text(it, 'hrp')]
    const payload = Case.bytes(it, 'payload')
    Case.equals(it, 'address', Address.format({ chain, hrp, payload }))
    Case.equals(it, 'bech32', Bech32.encode(hrp, payload))
    Case.ignore(it, ...LABELS)
    const parsed = Case.verdict(it, () => Address.parse(Case.text(it, 'address')), 'parseOk')
    if (parsed === undefined) return undefined
    Case.equals(it, 'parsed', parsed.value)
    const { chain: _, ...decoded } = parsed.value
    Case.same('decoded bech32', decoded, Bech32.decode(Case.text(it, 'bech32')))
    checkAddress(it, parsed.value.payload)
    return undefined
  },
  parse(it) {
    Case.ignore(it, ...LABELS)
    const parsed = Case.verdict(it, () => Address.parse(Case.text(it, 'address')))
    if (parsed === undefined) return undefined
    for (const field of ['chain', 'hrp', 'payload'] as const) Case.equals(it, field, parsed.value[field])
    checkAddress(it, parsed.value.payload)
    return undefined
  },
})
