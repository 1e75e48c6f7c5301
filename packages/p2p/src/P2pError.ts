import { FirnError } from '@firn/codec'

/**
 * The reason why a connection ended or a call was rejected.
 *
 * The word before the colon tells where the rule applies: `handshake` means a failed check of the peer's
 * Handshake, `established` a rule violated later, `admission` a refusal before the first frame, and `local`
 * an action of this side.
 *
 * | code | when |
 * |---|---|
 * | `P2P_ABORTED` | local: the caller's signal aborted |
 * | `P2P_ARGUMENT` | local: an argument has the wrong size or range |
 * | `P2P_CLOSED` | local: closed by this side, or used after being closed |
 * | `P2P_SHUTDOWN` | local: the network or server is shutting down |
 * | `P2P_REMOTE_CLOSED` | the peer ended the stream |
 * | `P2P_SOCKET` | the socket failed (refused, reset, unreachable) |
 * | `P2P_TLS` | the TLS handshake failed or took too long |
 * | `P2P_NO_CERTIFICATE` | admission: the peer presented no certificate |
 * | `P2P_CERTIFICATE` | admission: the certificate violates the staking rules |
 * | `P2P_WRONG_NODE_ID` | admission: the node has another NodeID than expected |
 * | `P2P_OWN_NODE_ID` | admission: the peer presented this side's own certificate |
 * | `P2P_DUPLICATE` | admission: the NodeID is already connected; the older connection is kept |
 * | `P2P_NOT_ALLOWED` | admission: the NodeID is not on the allow list |
 * | `P2P_COOLDOWN` | admission: the address, or too many other addresses, connected within the cooldown period |
 * | `P2P_CONNECTION_LIMIT` | admission: the server has reached its maximum of connections |
 * | `P2P_FRAME_LENGTH` | established: a frame announced more than 2 MiB |
 * | `P2P_MESSAGE` | a body cannot be decoded (counted and skipped, never a reason to close) |
 * | `P2P_IDLE` | established: no frame for 30 s |
 * | `P2P_WRITE_BLOCKED` | established: the peer has not read for 30 s |
 * | `P2P_HANDSHAKE_TIMEOUT` | the peer did not become ready in time |
 * | `P2P_SECOND_HANDSHAKE` | established: a second Handshake |
 * | `P2P_UNEXPECTED_PONG` | established: a Pong without a Ping |
 * | `P2P_PING_UPTIME` | established: a Ping with an uptime above 100 |
 * | `P2P_NETWORK_ID` | handshake: another network |
 * | `P2P_CLOCK` | handshake: clocks more than 60 s apart |
 * | `P2P_SUBNET_COUNT` | handshake: more than 16 tracked subnets |
 * | `P2P_SUBNET_ID` | handshake: a subnet id that is not 32 bytes long |
 * | `P2P_ACP_OVERLAP` | handshake: an ACP both supported and objected |
 * | `P2P_FILTER` | handshake or GetPeerList: a malformed bloom filter, or none in a GetPeerList |
 * | `P2P_SALT` | handshake or GetPeerList: a salt longer than 32 bytes |
 * | `P2P_IP` | handshake or claim: an address without 4 or 16 bytes; local: a host that is not an IP address |
 * | `P2P_PORT` | handshake or claim: port 0 |
 * | `P2P_IP_TIMESTAMP` | handshake or claim: signed more than 60 s in the future |
 * | `P2P_IP_SIGNATURE` | handshake or claim: the TLS key's signature of the address is invalid |
 * | `P2P_BLS_SIGNATURE` | handshake: not a point in G2, or not signed by the validator's registered key |
 * | `P2P_VERSION` | handshake, and again at each Ping: the claimed version is not compatible |
 * | `P2P_CLAIM_CERTIFICATE` | established: a PeerList entry whose certificate cannot be parsed |
 */
export type P2pErrorCode =
  | 'P2P_ABORTED'
  | 'P2P_ARGUMENT'
  | 'P2P_CLOSED'
  | 'P2P_SHUTDOWN'
  | 'P2P_REMOTE_CLOSED'
  | 'P2P_SOCKET'
  | 'P2P_TLS'
  | 'P2P_NO_CERTIFICATE'
  | 'P2P_CERTIFICATE'
  | 'P2P_WRONG_NODE_ID'
  | 'P2P_OWN_NODE_ID'
  | 'P2P_DUPLICATE'
  | 'P2P_NOT_ALLOWED'
  | 'P2P_COOLDOWN'
  | 'P2P_CONNECTION_LIMIT'
  | 'P2P_FRAME_LENGTH'
  | 'P2P_MESSAGE'
  | 'P2P_IDLE'
  | 'P2P_WRITE_BLOCKED'
  | 'P2P_HANDSHAKE_TIMEOUT'
  | 'P2P_SECOND_HANDSHAKE'
  | 'P2P_UNEXPECTED_PONG'
  | 'P2P_PING_UPTIME'
  | 'P2P_NETWORK_ID'
  | 'P2P_CLOCK'
  | 'P2P_SUBNET_COUNT'
  | 'P2P_SUBNET_ID'
  | 'P2P_ACP_OVERLAP'
  | 'P2P_FILTER'
  | 'P2P_SALT'
  | 'P2P_IP'
  | 'P2P_PORT'
  | 'P2P_IP_TIMESTAMP'
  | 'P2P_IP_SIGNATURE'
  | 'P2P_BLS_SIGNATURE'
  | 'P2P_VERSION'
  | 'P2P_CLAIM_CERTIFICATE'

/** The only error class of this package. `code` identifies the cause, `details` holds the values. */
export class P2pError extends FirnError<P2pErrorCode> {
  override readonly name = 'P2pError'
}
