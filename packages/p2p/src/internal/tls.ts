import { createPrivateKey } from 'node:crypto'
import type { SecureContextOptions, TLSSocket } from 'node:tls'
import { StakingCertificate } from '@firn/keys'
import type { Identity } from '../Identity.ts'
import { P2pError } from '../P2pError.ts'
import type { Timers } from '../Timers.ts'
import * as certificates from './certificate.ts'

/** Returns the TLS options of an identity. Nodes use TLS 1.3 only. */
export function contextOptions(identity: Identity): SecureContextOptions {
  const key = createPrivateKey({ key: Buffer.from(identity.privateKey), format: 'der', type: 'pkcs8' })
  return {
    cert: StakingCertificate.formatPem(identity.certificate),
    key: key.export({ type: 'pkcs8', format: 'pem' }),
    minVersion: 'TLSv1.3',
    // Otherwise Node would load the certificates of all public authorities, which nobody checks here.
    ca: [],
  }
}

/**
 * Returns the certificate that the remote side presented, checked by the staking rules. `getPeerCertificate`
 * cannot be used, because it returns nothing for certificates without a subject, and nodes create such
 * certificates.
 * @throws P2pError `P2P_NO_CERTIFICATE`, `P2P_CERTIFICATE`
 */
export function peerCertificate(socket: TLSSocket): certificates.PeerCertificate {
  const certificate = socket.getPeerX509Certificate()
  if (certificate === undefined) throw new P2pError('P2P_NO_CERTIFICATE', 'the peer presented no certificate')
  return certificates.parse(new Uint8Array(certificate.raw), 'P2P_CERTIFICATE')
}

/** Closes a connection gracefully before it becomes a peer. Further input is discarded. */
export function endQuietly(socket: TLSSocket, timers: Timers, ms: number): void {
  const timer = timers.setTimer(() => socket.destroy(), ms)
  socket.on('error', () => undefined)
  socket.on('close', () => timer.cancel())
  socket.resume()
  socket.end()
}
