import { createPrivateKey } from 'node:crypto'
import type { SecureContextOptions, TLSSocket } from 'node:tls'
import { StakingCertificate } from '@firn/keys'
import type { Identity } from '../Identity.ts'
import { P2pError } from '../P2pError.ts'
import type { Timers } from '../Timers.ts'
import * as certificates from './certificate.ts'

/** The TLS material of an identity. Nodes speak TLS 1.3 only. */
export function contextOptions(identity: Identity): SecureContextOptions {
  const key = createPrivateKey({ key: Buffer.from(identity.privateKey), format: 'der', type: 'pkcs8' })
  return {
    cert: StakingCertificate.formatPem(identity.certificate),
    key: key.export({ type: 'pkcs8', format: 'pem' }),
    minVersion: 'TLSv1.3',
  }
}

/**
 * The certificate that the far end showed, by the staking rules. `getPeerCertificate` is of no use here: it returns nothing for
 * certificates without a subject, which is what nodes make.
 * @throws P2pError `P2P_NO_CERTIFICATE`, `P2P_CERTIFICATE`
 */
export function peerCertificate(socket: TLSSocket): certificates.PeerCertificate {
  const certificate = socket.getPeerX509Certificate()
  if (certificate === undefined)
    throw new P2pError('P2P_NO_CERTIFICATE', 'expected a certificate from the peer, got none')
  return certificates.parse(new Uint8Array(certificate.raw), 'P2P_CERTIFICATE')
}

/** Ends a connection in order before a peer was made of it: what comes is thrown away. */
export function endQuietly(socket: TLSSocket, timers: Timers, ms: number): void {
  const timer = timers.setTimer(() => socket.destroy(), ms)
  socket.on('error', () => undefined)
  socket.on('close', () => timer.cancel())
  socket.resume()
  socket.end()
}
