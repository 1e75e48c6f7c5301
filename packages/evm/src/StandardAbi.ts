import { Hex } from '@firn/codec'
import * as AbiSignature from './AbiSignature.ts'
import type { FunctionAbi } from './ContractAbi.ts'
import * as EventAbi from './EventAbi.ts'
import { signatureOf } from './internal/abiParameters.ts'
import { append } from './internal/append.ts'
import { selectorOf } from './internal/selectorOf.ts'

/** Functions and events of token standards, wrapped coins, proxies and role management. */
const SIGNATURES = [
  'approve(address spender, uint256 value)',
  'burn(uint256 value)',
  'burnFrom(address account, uint256 value)',
  'claimOwnership()',
  'decreaseAllowance(address spender, uint256 subtractedValue)',
  'deposit()',
  'execute(address to, uint256 value, bytes data)',
  'grantRole(bytes32 role, address account)',
  'increaseAllowance(address spender, uint256 addedValue)',
  'initialize()',
  'mint(address to, uint256 value)',
  'multicall(bytes[] data)',
  'pause()',
  'permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'renounceOwnership()',
  'renounceRole(bytes32 role, address account)',
  'revokeRole(bytes32 role, address account)',
  'safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] values, bytes data)',
  'safeTransferFrom(address from, address to, uint256 tokenId)',
  'safeTransferFrom(address from, address to, uint256 tokenId, bytes data)',
  'safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes data)',
  'setApprovalForAll(address operator, bool approved)',
  'transfer(address to, uint256 value)',
  'transferFrom(address from, address to, uint256 value)',
  'transferOwnership(address newOwner)',
  'unpause()',
  'upgradeTo(address implementation)',
  'upgradeToAndCall(address implementation, bytes data)',
  'withdraw()',
  'withdraw(uint256 value)',
  // ERC-20 and ERC-721 differ in what is indexed.
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
  'event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId)',
  'event ApprovalForAll(address indexed owner, address indexed operator, bool approved)',
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
  'event URI(string value, uint256 indexed id)',
  'event ConsecutiveTransfer(uint256 indexed fromTokenId, uint256 toTokenId, address indexed fromAddress, address indexed toAddress)',
  'event Deposit(address indexed dst, uint256 wad)',
  'event Withdrawal(address indexed src, uint256 wad)',
  'event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)',
  'event RoleAdminChanged(bytes32 indexed role, bytes32 indexed previousAdminRole, bytes32 indexed newAdminRole)',
  'event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender)',
  'event RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender)',
  'event Paused(address account)',
  'event Unpaused(address account)',
  'event Initialized(uint8 version)',
  'event Initialized(uint64 version)',
  'event Upgraded(address indexed implementation)',
  'event BeaconUpgraded(address indexed beacon)',
  'event AdminChanged(address previousAdmin, address newAdmin)',
  'event SendWarpMessage(address indexed sender, bytes32 indexed messageID, bytes message)',
]

interface Standards {
  readonly functions: ReadonlyMap<string, readonly FunctionAbi[]>
  readonly events: ReadonlyMap<string, readonly EventAbi.EventAbi[]>
}

let standards: Standards | undefined

/**
 * Returns the functions of common standards with a selector. That a contract has one is a guess, because any contract
 * can have a function with this selector.
 * @param selector in hex, without `0x`
 * @example
 * ```ts
 * import { StandardAbi } from '@firn/evm'
 *
 * StandardAbi.functions('a9059cbb')[0]?.name // 'transfer'
 * ```
 */
export function functions(selector: string): readonly FunctionAbi[] {
  return indexed().functions.get(selector) ?? []
}

/**
 * Returns the events of common standards with a first topic. Those with the same topic differ in what is indexed.
 * @param topic in hex, without `0x`
 * @example
 * ```ts
 * import { StandardAbi } from '@firn/evm'
 *
 * StandardAbi.events('62e78cea01bee320cd4e420270b5ea74000d11b0c9f74754ebdbfc544b05a258')[0]?.name // 'Paused'
 * ```
 */
export function events(topic: string): readonly EventAbi.EventAbi[] {
  return indexed().events.get(topic) ?? []
}

function indexed(): Standards {
  standards ??= index()
  return standards
}

function index(): Standards {
  const functions = new Map<string, readonly FunctionAbi[]>()
  const events = new Map<string, readonly EventAbi.EventAbi[]>()
  for (const { kind, abi } of SIGNATURES.map(AbiSignature.parse)) {
    if (kind === 'event') append(events, Hex.encodeBare(EventAbi.topic(abi)), abi)
    else append(functions, Hex.encodeBare(selectorOf(signatureOf(abi.name, abi.inputs))), abi)
  }
  return { functions, events }
}
