// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

// Proxies of the standards that exist on public chains, and two versions of a token to which they delegate.

/// The first version of a token.
contract First {
    uint256 public constant totalSupply = 1;
    string public constant name = "First";
    string public constant symbol = "ONE";
    uint8 public constant decimals = 6;
}

/// The second version.
contract Second {
    uint256 public constant totalSupply = 1;
    string public constant name = "Second";
    string public constant symbol = "TWO";
    uint8 public constant decimals = 8;
}

/// Tells proxies their implementation.
contract Beacon {
    address public implementation;
    event Upgraded(address indexed implementation);

    constructor(address first) {
        implementation = first;
    }

    function upgradeTo(address next) external {
        implementation = next;
        emit Upgraded(next);
    }
}

/// Delegates all calls except `upgradeTo`.
abstract contract Delegating {
    function _implementation() internal view virtual returns (address);

    fallback() external {
        address target = _implementation();
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), target, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if done {
                return(0, returndatasize())
            }
            revert(0, returndatasize())
        }
    }
}

/// A proxy that stores its implementation in a slot: that of EIP-1967, of EIP-1822 or of the first OpenZeppelin proxies.
contract SlotProxy is Delegating {
    bytes32 private immutable _slot;
    event Upgraded(address indexed implementation);

    constructor(bytes32 slot, address first) {
        _slot = slot;
        _set(first);
    }

    function upgradeTo(address next) external {
        _set(next);
        emit Upgraded(next);
    }

    function _set(address next) private {
        bytes32 slot = _slot;
        assembly {
            sstore(slot, next)
        }
    }

    function _implementation() internal view override returns (address target) {
        bytes32 slot = _slot;
        assembly {
            target := sload(slot)
        }
    }
}

/// A proxy that asks a beacon for its implementation.
contract BeaconProxy is Delegating {
    bytes32 private constant SLOT = 0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50;

    constructor(address beacon) {
        assembly {
            sstore(SLOT, beacon)
        }
    }

    function _implementation() internal view override returns (address) {
        address beacon;
        assembly {
            beacon := sload(SLOT)
        }
        return Beacon(beacon).implementation();
    }
}
