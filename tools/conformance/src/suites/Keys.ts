import { Address, Network, ShortId } from '@firn/codec'
import { EvmAddress, PrivateKey, PublicKey, Signature } from '@firn/keys'
import * as Case from '../Case.ts'
import * as Suite from '../Suite.ts'

/** Prefixes of the networks in the field `bech32` of a key, such as `P-avax` and `X-local`. */
const HRPS: Readonly<Record<string, string>> = {
  avax: Network.hrp(Network.MAINNET),
  fuji: Network.hrp(Network.FUJI),
  local: Network.hrp(Network.LOCAL),
  custom: Network.hrp(0),
}

function checkAddresses(it: Case.Case, publicKey: Uint8Array): void {
  const address = PublicKey.address(publicKey)
  Case.equals(it, 'address', address)
  const ethAddress = EvmAddress.format(PublicKey.evmAddress(publicKey))
  Case.equals(it, 'ethAddress', ethAddress)
  Case.same('parsed ethAddress', PublicKey.evmAddress(publicKey), EvmAddress.parse(ethAddress))
}

function bech32Of(names: readonly string[], payload: Uint8Array): Record<string, string> {
  const texts = names.map((name) => {
    const [chain = '', network = ''] = name.split('-')
    return [name, Address.format({ chain, hrp: HRPS[network] ?? '', payload })]
  })
  return Object.fromEntries(texts)
}

function checkPrivateKey(it: Case.Case, privateKey: Uint8Array): void {
  Case.equals(it, 'string', PrivateKey.format(privateKey))
  Case.equals(it, 'bytes', PrivateKey.parse(Case.text(it, 'string')))
  const publicKey = PrivateKey.publicKey(privateKey)
  Case.equals(it, 'publicKey', publicKey)
  const uncompressed = Case.attempt(() => PublicKey.uncompress(publicKey))
  // The reference panics on some points instead of printing them. A rejection counts as the same verdict for
  // these points.
  const isPoint = typeof Case.given(it, 'publicKeyUncompressed') === 'string'
  if (isPoint) Case.equals(it, 'publicKeyUncompressed', uncompressed?.value)
  else Case.same('publicKeyUncompressed', undefined, uncompressed)
  checkAddresses(it, publicKey)
  const address = PublicKey.address(publicKey)
  Case.equals(it, 'addressCB58', ShortId.format(address))
  const bech32 = Case.given(it, 'bech32') as Readonly<Record<string, string>>
  Case.equals(it, 'bech32', bech32Of(Object.keys(bech32), address))
}

/** Checks secp256k1 keys, addresses and recoverable signatures. */
export const keys = Suite.create('keys.json', {
  privateKey(it) {
    const decoded = Case.verdict(it, () => PrivateKey.decode(Case.bytes(it, 'bytes')))
    if (decoded !== undefined) checkPrivateKey(it, decoded.value)
    return undefined
  },
  parsePrivateKey(it) {
    const parsed = Case.verdict(it, () => PrivateKey.parse(Case.text(it, 'text')))
    if (parsed !== undefined) Case.equals(it, 'bytes', parsed.value)
    return undefined
  },
  parsePrivateKeyJSON(it) {
    const json = Case.text(it, 'json')
    const parsed = Case.verdict(it, () => PrivateKey.parseJson(json))
    if (parsed === undefined) return undefined
    const text = parsed.value === null ? 'null' : `"${PrivateKey.format(parsed.value)}"`
    Case.same('key after reformatting', json, text)
    return undefined
  },
  parsePublicKey(it) {
    const decoded = Case.verdict(it, () => PublicKey.decode(Case.bytes(it, 'bytes')))
    if (decoded !== undefined) checkAddresses(it, decoded.value)
    return undefined
  },
  signHash(it) {
    const [hash, privateKey] = [Case.bytes(it, 'hash'), Case.bytes(it, 'privateKey')]
    Case.equals(it, 'signature', Signature.sign(hash, privateKey))
    return undefined
  },
  signMessage(it) {
    const [message, privateKey] = [Case.bytes(it, 'message'), Case.bytes(it, 'privateKey')]
    Case.equals(it, 'signature', Signature.signMessage(message, privateKey))
    Case.equals(it, 'publicKey', PrivateKey.publicKey(privateKey))
    Case.equals(it, 'publicKey', Signature.recoverMessage(message, Case.bytes(it, 'signature')))
    return undefined
  },
  recoverHash(it) {
    const [hash, signature] = [Case.bytes(it, 'hash'), Case.bytes(it, 'signature')]
    const recovered = Case.verdict(it, () => Signature.recover(hash, signature))
    if (recovered === undefined) {
      if (Case.has(it, 'signerPublicKey')) {
        const isBySigner = Signature.verify(hash, signature, Case.bytes(it, 'signerPublicKey'))
        Case.same('verification of a rejected signature', false, isBySigner)
      }
      return undefined
    }
    Case.equals(it, 'publicKey', recovered.value)
    Case.equals(it, 'address', PublicKey.address(recovered.value))
    if (Case.has(it, 'verifyHash')) {
      Case.equals(it, 'verifyHash', Signature.verify(hash, signature, Case.bytes(it, 'signerPublicKey')))
    }
    return undefined
  },
})
