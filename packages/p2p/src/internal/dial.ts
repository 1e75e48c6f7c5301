import { connect, type SecureContext, type TLSSocket } from 'node:tls'
import { Bytes, NodeId } from '@firn/codec'
import type { Endpoint } from '../Endpoint.ts'
import { P2pError } from '../P2pError.ts'
import type { LivePeer, PeerContext } from './LivePeer.ts'
import { PeerConnection } from './PeerConnection.ts'
import { fromSocketError } from './socketError.ts'
import { endQuietly, peerCertificate } from './tls.ts'

/** Options of {@link dial}. */
export interface DialOptions {
  readonly endpoint: Endpoint
  /** The NodeID that the remote side must have. */
  readonly nodeId: Uint8Array
  readonly secureContext: SecureContext
  readonly timeoutMs: number
  readonly context: PeerContext
  /** Called when TLS is established and the NodeID matches. The callback must call `peer.start()`. */
  readonly onPeer: (peer: LivePeer) => void
  /** Called when the attempt failed before the connection became a peer. */
  readonly onFailed: (error: P2pError) => void
}

/** Opens a connection. The returned function aborts the attempt. */
export function dial(options: DialOptions): () => void {
  const { endpoint, secureContext, timeoutMs, context, onPeer, onFailed } = options
  const socket = connect({
    host: endpoint.host,
    port: endpoint.port,
    secureContext,
    rejectUnauthorized: false,
    // Only the leaf certificate is checked, by the code below. The certificate chain and the host name do not
    // matter.
    checkServerIdentity: () => undefined,
  })
  let isOver = false
  const fail = (error: P2pError): void => {
    if (isOver) return
    isOver = true
    timer.cancel()
    onFailed(error)
    socket.destroy()
  }
  const onError = (error: Error): void => fail(fromSocketError(error))
  const onClose = (): void =>
    fail(new P2pError('P2P_REMOTE_CLOSED', 'the connection ended before the TLS handshake was complete'))
  const timer = context.timers.setTimer(
    () => fail(new P2pError('P2P_TLS', `the TLS handshake did not complete within ${timeoutMs} ms`)),
    timeoutMs,
  )
  socket.on('error', onError)
  socket.on('close', onClose)
  socket.on('secureConnect', () => {
    if (isOver) return
    isOver = true
    timer.cancel()
    socket.off('error', onError)
    socket.off('close', onClose)
    try {
      onPeer(admit(socket, options))
    } catch (error) {
      if (!(error instanceof P2pError)) throw error
      endQuietly(socket, context.timers, context.limits.closingMs)
      onFailed(error)
    }
  })
  return () => fail(new P2pError('P2P_CLOSED', 'aborted by this side'))
}

function admit(socket: TLSSocket, { nodeId, context }: DialOptions): PeerConnection {
  const certificate = peerCertificate(socket)
  if (Bytes.equals(certificate.nodeId, nodeId)) {
    return new PeerConnection({ socket, direction: 'outbound', certificate, context })
  }
  const [expected, got] = [NodeId.format(nodeId), NodeId.format(certificate.nodeId)]
  throw new P2pError('P2P_WRONG_NODE_ID', `expected NodeID ${expected}, got ${got}`, {
    details: { expected, got },
  })
}
