import { createPrivateKey, sign } from 'node:crypto'
import { Hex, NodeId } from '@firn/codec'
import { StakingCertificate, StakingKey } from '@firn/keys'
import * as Case from '../Case.ts'
import * as Suite from '../Suite.ts'

/** Compares public keys as numbers, because some vectors write numbers without leading zeros. */
function checkKey(it: Case.Case, { publicKey }: StakingCertificate.Certificate): void {
  Case.equals(it, 'keyType', publicKey.type === 'rsa' ? 'RSA' : 'ECDSA-P256')
  if (publicKey.type === 'rsa') {
    Case.same('modulus', BigInt(Case.text(it, 'modulus')), publicKey.modulus)
    Case.equals(it, 'exponent', publicKey.exponent)
  } else {
    Case.same('x', BigInt(Case.text(it, 'x')), BigInt(Hex.encode(publicKey.point.subarray(1, 33))))
    Case.same('y', BigInt(Case.text(it, 'y')), BigInt(Hex.encode(publicKey.point.subarray(33))))
  }
}

/**
 * Checks that the PEM private key produces signatures that the certificate verifies. P-256 signatures are
 * made by Firn's code, and RSA signatures by the platform's.
 */
function checkPrivateKey(it: Case.Case, certificate: StakingCertificate.Certificate): void {
  const pem = Case.text(it, 'privateKeyPEM')
  const message = new TextEncoder().encode(it.name)
  if (certificate.publicKey.type === 'rsa') {
    const signature = sign('sha256', message, createPrivateKey(pem))
    const isValid = StakingCertificate.checkSignature(certificate, message, signature)
    Case.same('signature with privateKeyPEM', true, isValid)
    return
  }
  const privateKey = StakingKey.parsePem(pem)
  Case.equals(it, 'privateKeyPEM', StakingKey.formatPem(StakingKey.encode(StakingKey.decode(privateKey))))
  Case.same('public key of privateKeyPEM', certificate.publicKey.point, StakingKey.publicKey(privateKey))
  const signature = StakingKey.sign(message, privateKey)
  const isValid = StakingCertificate.checkSignature(certificate, message, signature)
  Case.same('signature with privateKeyPEM', true, isValid)
}

/**
 * Checks staking certificates with the node's parser, NodeIDs, and signatures by the keys of certificates.
 */
export const staking = Suite.create('staking.json', {
  certificate(it) {
    const der = Case.bytes(it, 'der')
    const parsed = Case.verdict(it, () => StakingCertificate.parse(der))
    if (parsed === undefined) return undefined
    const nodeId = StakingCertificate.nodeId(parsed.value.der)
    Case.equals(it, 'nodeIDBytes', nodeId)
    Case.equals(it, 'nodeID', NodeId.format(nodeId))
    checkKey(it, parsed.value)
    if (Case.has(it, 'pem')) {
      Case.equals(it, 'pem', StakingCertificate.formatPem(der))
      Case.equals(it, 'der', StakingCertificate.parsePem(Case.text(it, 'pem')).der)
    }
    if (Case.has(it, 'privateKeyPEM')) checkPrivateKey(it, parsed.value)
    return undefined
  },
  checkSignature(it) {
    const certificate = StakingCertificate.parse(Case.bytes(it, 'certificate'))
    Case.equals(it, 'nodeID', NodeId.format(StakingCertificate.nodeId(certificate.der)))
    const [message, signature] = [Case.bytes(it, 'message'), Case.bytes(it, 'signature')]
    Case.equals(it, 'valid', StakingCertificate.checkSignature(certificate, message, signature))
    return undefined
  },
})
