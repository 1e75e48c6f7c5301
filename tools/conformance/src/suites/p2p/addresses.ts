import { ProofOfPossession, PublicKey, SecretKey, Signature } from '@firn/bls'
import { NodeId } from '@firn/codec'
import { SignedIp, StakingCertificate } from '@firn/keys'
import { ClaimedIpPort, Endpoint } from '@firn/p2p'
import * as Case from '../../Case.ts'
import type { Check } from '../../Suite.ts'

function endpoint(it: Case.Case): SignedIp.UnsignedIp {
  const text = Case.text(it, 'address')
  // The zone id after `%` is part of neither the bytes nor the addresses that peers exchange.
  const { host, port } = Endpoint.parse(text.replace(/%[^\]]*/, ''))
  return { address: Endpoint.addressBytes(host), port, timestamp: Case.bigint(it, 'timestamp') }
}

function claim(it: Case.Case, ip: SignedIp.UnsignedIp): ClaimedIpPort.ClaimedIpPort {
  return {
    x509Certificate: Case.bytes(it, 'certificate'),
    ipAddr: ip.address,
    ipPort: ip.port,
    timestamp: ip.timestamp,
    signature: Case.bytes(it, 'tlsSignature'),
    txId: new Uint8Array(32),
  }
}

/** Returns the verdict of the browser-safe check, which must agree with the verdict of the peer stack. */
function isSignedByTls(it: Case.Case, ip: SignedIp.UnsignedIp, maxTimestamp: bigint): boolean {
  const certificate = StakingCertificate.parse(Case.bytes(it, 'certificate'))
  const isValid = SignedIp.verify(ip, Case.bytes(it, 'tlsSignature'), certificate, maxTimestamp)
  const claimed = claim(it, ip)
  const verdict = Case.attempt(() => ClaimedIpPort.verify(claimed, maxTimestamp))
  Case.same('verdict of the peer stack', isValid, verdict !== undefined)
  return isValid
}

function isSignedByBls(it: Case.Case, ip: SignedIp.UnsignedIp): boolean {
  const publicKey = PublicKey.decode(Case.bytes(it, 'blsPublicKey'))
  const signature = Signature.decode(Case.bytes(it, 'blsSignature'))
  return ProofOfPossession.verify(publicKey, SignedIp.unsignedBytes(ip), signature)
}

const signedIP: Check = (it) => {
  const ip = endpoint(it)
  Case.equals(it, 'port', ip.port)
  for (const field of ['ipAs16', 'ipAsSlice']) {
    const address = Case.bytes(it, field)
    Case.same(`shortest form of ${field}`, ip.address, Endpoint.normalize(address))
    Case.equals(it, 'signedBytes', SignedIp.unsignedBytes({ ...ip, address }))
  }
  Case.equals(it, 'signedBytes', ClaimedIpPort.signedBytes(claim(it, ip)))
  const nodeId = ClaimedIpPort.nodeId(claim(it, ip))
  Case.equals(it, 'nodeID', NodeId.format(nodeId))
  Case.equals(it, 'gossipID', ClaimedIpPort.gossipId(nodeId, ip.timestamp))
  Case.same('validity of the TLS signature', true, isSignedByTls(it, ip, ip.timestamp))
  const secretKey = SecretKey.decode(Case.bytes(it, 'blsSecretKey'))
  Case.equals(it, 'blsPublicKey', SecretKey.publicKey(secretKey).compressed)
  Case.equals(it, 'blsSignature', ProofOfPossession.sign(secretKey, SignedIp.unsignedBytes(ip)).compressed)
  Case.same('validity of the BLS signature', true, isSignedByBls(it, ip))
  // This field is the reference's estimate of a claim's memory. It is never sent and affects no verdict.
  Case.ignore(it, 'size')
  return undefined
}

const verifyIP: Check = (it) => {
  const ip = endpoint(it)
  const isValid = isSignedByTls(it, ip, Case.bigint(it, 'maxTimestamp'))
  Case.equals(it, 'valid', isValid)
  Case.same('verdict (error is null)', Case.given(it, 'error') === null, isValid)
  Case.equals(it, 'blsValid', isSignedByBls(it, ip))
  return undefined
}

/** Checks of `p2p.json` on signed node addresses. */
export const addressChecks: Readonly<Record<string, Check>> = { signedIP, verifyIP }
