import { NodeId } from '@firn/codec'
import { ConversionData, L1Message, ValidationId } from '@firn/warp'
import { DevnetError } from './DevnetError.ts'
import { key, type L1Validator, type State } from './State.ts'

/** Effect of one transaction of a block on the P-chain. */
export type Change =
  /** Adds a validator to the Primary Network or changes its weight. Weight 0 removes the validator. */
  | {
      readonly kind: 'set-primary'
      readonly nodeId: Uint8Array
      readonly publicKey: Uint8Array | null
      readonly weight: bigint
    }
  | { readonly kind: 'create-subnet'; readonly subnetId: Uint8Array }
  | {
      readonly kind: 'create-chain'
      readonly subnetId: Uint8Array
      readonly chainId: Uint8Array
      readonly name: string
    }
  /**
   * Converts a subnet to an L1. `balances` are in the order of the validators; 0 makes a validator inactive.
   */
  | {
      readonly kind: 'convert'
      readonly data: ConversionData.ConversionData
      readonly balances: readonly bigint[]
    }
  /** Registers a validator. `message` is a RegisterL1Validator message. */
  | { readonly kind: 'register'; readonly message: Uint8Array; readonly balance: bigint }
  /**
   * Sets the weight of an L1 validator, as an L1ValidatorWeight message does. Weight 0 removes the validator.
   */
  | {
      readonly kind: 'set-weight'
      readonly validationId: Uint8Array
      readonly nonce: bigint
      readonly weight: bigint
    }
  /**
   * Increases the balance of an L1 validator. A `balance` of 0 instead withdraws the whole balance, which
   * makes the validator inactive.
   */
  | { readonly kind: 'set-balance'; readonly validationId: Uint8Array; readonly balance: bigint }

/** Returns the state of a P-chain before its first block. */
export function emptyState(networkId: number, time: bigint): State {
  const none = new Map<string, never>()
  return {
    networkId,
    height: 0n,
    time,
    primary: none,
    subnets: none,
    chains: none,
    l1Validators: none,
    expiries: none,
  }
}

/**
 * Returns the state after a block with the given changes. `time` is the block's acceptance time in Unix
 * seconds.
 * @throws DevnetError `DEVNET_CHANGE` if the P-chain would reject a change
 */
export function accept(state: State, changes: readonly Change[], time: bigint): State {
  const next = { ...state, height: state.height + 1n, time: time > state.time ? time : state.time }
  return changes.reduce(apply, next)
}

/** Returns the state after a change. The height and the time are unchanged. */
export function apply(state: State, change: Change): State {
  switch (change.kind) {
    case 'set-primary':
      return setPrimary(state, change)
    case 'create-subnet':
      return {
        ...state,
        subnets: put(state.subnets, change.subnetId, { id: change.subnetId, conversion: null }),
      }
    case 'create-chain':
      return createChain(state, change)
    case 'convert':
      return convert(state, change)
    case 'register':
      return register(state, change)
    case 'set-weight':
      return setWeight(state, change)
    case 'set-balance':
      return setBalance(state, change)
  }
}

type Of<K extends Change['kind']> = Extract<Change, { readonly kind: K }>

function put<T>(map: ReadonlyMap<string, T>, id: Uint8Array, value: T): ReadonlyMap<string, T> {
  return new Map(map).set(key(id), value)
}

function without<T>(map: ReadonlyMap<string, T>, id: Uint8Array): ReadonlyMap<string, T> {
  const next = new Map(map)
  next.delete(key(id))
  return next
}

function refused(message: string): DevnetError {
  return new DevnetError('DEVNET_CHANGE', message)
}

function setPrimary(state: State, { nodeId, publicKey, weight }: Of<'set-primary'>): State {
  if (weight === 0n) return { ...state, primary: without(state.primary, nodeId) }
  const startTime = state.primary.get(key(nodeId))?.startTime ?? state.time
  return { ...state, primary: put(state.primary, nodeId, { nodeId, publicKey, weight, startTime }) }
}

function createChain(state: State, { subnetId, chainId, name }: Of<'create-chain'>): State {
  if (!state.subnets.has(key(subnetId))) throw refused('the subnet of the chain does not exist')
  return { ...state, chains: put(state.chains, chainId, { id: chainId, name, subnetId, vm: 'subnet-evm' }) }
}

function convert(state: State, { data, balances }: Of<'convert'>): State {
  const subnet = state.subnets.get(key(data.subnetID))
  if (subnet === undefined) throw refused('the subnet to convert does not exist')
  if (subnet.conversion !== null) throw refused('the subnet is already converted to an L1')
  const { managerChainID: managerChainId, managerAddress } = data
  const conversion = { id: ConversionData.id(data), managerChainId, managerAddress }
  const l1Validators = new Map(state.l1Validators)
  for (const [index, validator] of data.validators.entries()) {
    const validationId = ValidationId.initial(data.subnetID, index)
    l1Validators.set(key(validationId), {
      validationId,
      subnetId: data.subnetID,
      nodeId: validator.nodeID,
      publicKey: validator.blsPublicKey,
      weight: validator.weight,
      minNonce: 0n,
      balance: balances[index] ?? 0n,
      startTime: state.time,
    })
  }
  return { ...state, l1Validators, subnets: put(state.subnets, data.subnetID, { ...subnet, conversion }) }
}

function register(state: State, { message, balance }: Of<'register'>): State {
  const registration = L1Message.decodeAs(message, 'RegisterL1Validator')
  const validationId = ValidationId.registered(message)
  if (registration.expiry <= state.time)
    throw refused(`expected an expiry later than ${state.time} (Unix seconds), got ${registration.expiry}`)
  if (state.expiries.has(key(validationId))) throw refused('the registration message was already accepted')
  const { conversion } = state.subnets.get(key(registration.subnetID)) ?? { conversion: null }
  if (conversion === null) throw refused('validators can be registered only on an L1')
  const nodeId = registration.nodeID
  const isTaken = [...state.l1Validators.values()].some(
    (other) => key(other.subnetId) === key(registration.subnetID) && key(other.nodeId) === key(nodeId),
  )
  if (isTaken) throw refused(`${NodeId.format(nodeId)} is already a validator of the L1`)
  const validator: L1Validator = {
    validationId,
    subnetId: registration.subnetID,
    nodeId,
    publicKey: registration.blsPublicKey,
    weight: registration.weight,
    minNonce: 0n,
    balance,
    startTime: state.time,
  }
  return {
    ...state,
    l1Validators: put(state.l1Validators, validationId, validator),
    expiries: put(state.expiries, validationId, registration.expiry),
  }
}

function existing(state: State, validationId: Uint8Array): L1Validator {
  const validator = state.l1Validators.get(key(validationId))
  if (validator === undefined) throw refused('validation not found')
  return validator
}

function setWeight(state: State, { validationId, nonce, weight }: Of<'set-weight'>): State {
  const validator = existing(state, validationId)
  if (nonce < validator.minNonce)
    throw refused(`expected a nonce of at least ${validator.minNonce}, got ${nonce}`)
  if (weight !== 0n) {
    const changed = { ...validator, weight, minNonce: nonce + 1n }
    return { ...state, l1Validators: put(state.l1Validators, validationId, changed) }
  }
  const others = [...state.l1Validators.values()].filter(
    (other) => key(other.subnetId) === key(validator.subnetId),
  )
  if (others.length === 1) throw refused('the last validator of an L1 cannot be removed')
  return { ...state, l1Validators: without(state.l1Validators, validationId) }
}

function setBalance(state: State, { validationId, balance }: Of<'set-balance'>): State {
  const validator = existing(state, validationId)
  return { ...state, l1Validators: put(state.l1Validators, validationId, { ...validator, balance }) }
}
