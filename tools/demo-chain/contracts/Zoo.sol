// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

// Token contracts of the kinds that exist on public chains. For many of them, the sum of the transfer logs is not the
// balance. All have the same functions, so that random use needs to know nothing about them: `transfer`, `mint` and
// `burn`, and `act`, which does what is special about the contract. For tokens with ids, `value` selects the id.

/// The common part of the ERC-20 tokens.
abstract contract Erc20 {
    uint256 public totalSupply;
    mapping(address => uint256) internal _balances;
    event Transfer(address indexed from, address indexed to, uint256 value);

    function decimals() external pure virtual returns (uint8) {
        return 18;
    }

    function balanceOf(address account) external view virtual returns (uint256) {
        return _balances[account];
    }

    function transfer(address to, uint256 value) external virtual returns (bool) {
        _debit(msg.sender, value);
        _credit(to, value);
        emit Transfer(msg.sender, to, value);
        return true;
    }

    function mint(address to, uint256 value) external virtual {
        _credit(to, value);
        totalSupply += value;
        emit Transfer(address(0), to, value);
    }

    function burn(uint256 value) external virtual {
        _debit(msg.sender, value);
        totalSupply -= value;
        emit Transfer(msg.sender, address(0), value);
    }

    function act(address who, uint256 value) external virtual {}

    function _debit(address account, uint256 value) internal {
        _balances[account] -= value;
    }

    function _credit(address account, uint256 value) internal {
        _balances[account] += value;
    }
}

/// A plain ERC-20 token, such as LINK.
contract Plain is Erc20 {}

/// A token whose `transfer` returns nothing, such as the first USDT.
contract WithoutReturn is Erc20 {
    function transfer(address to, uint256 value) external override returns (bool) {
        _debit(msg.sender, value);
        _credit(to, value);
        emit Transfer(msg.sender, to, value);
        assembly {
            return(0, 0)
        }
    }
}

/// A token that cannot be divided, such as a ticket.
contract Undivided is Erc20 {
    function decimals() external pure override returns (uint8) {
        return 0;
    }
}

/// A bridged token, such as USDC.e: the bridge mints and burns from any account, with logs of its own.
contract Bridged is Erc20 {
    event Bridge(address indexed account, uint256 value);

    function act(address who, uint256 value) external override {
        _debit(who, value);
        totalSupply -= value;
        emit Transfer(who, address(0), value);
        emit Bridge(who, value);
    }
}

/// A token whose owner pauses transfers, such as USDC.
contract Pausable is Erc20 {
    bool public paused;

    function transfer(address to, uint256 value) external override returns (bool) {
        require(!paused);
        _debit(msg.sender, value);
        _credit(to, value);
        emit Transfer(msg.sender, to, value);
        return true;
    }

    function act(address, uint256) external override {
        paused = !paused;
    }
}

/// WETH9, such as WAVAX: wrapping and unwrapping emit `Deposit` and `Withdrawal`, and no `Transfer`.
contract WrappedNative is Erc20 {
    event Deposit(address indexed account, uint256 value);
    event Withdrawal(address indexed account, uint256 value);

    function deposit() public payable virtual {
        _credit(msg.sender, msg.value);
        emit Deposit(msg.sender, msg.value);
    }

    receive() external payable {
        deposit();
    }

    function mint(address, uint256) external pure override {
        revert();
    }

    function burn(uint256 value) public virtual override {
        _debit(msg.sender, value);
        emit Withdrawal(msg.sender, value);
        payable(msg.sender).transfer(value);
    }
}

/// A wrapped native token that emits `Transfer` too, such as WETH on Arbitrum: `Deposit` must not be added to it.
contract WrappedNativeWithTransfer is WrappedNative {
    function deposit() public payable override {
        super.deposit();
        emit Transfer(address(0), msg.sender, msg.value);
    }

    function burn(uint256 value) public override {
        super.burn(value);
        emit Transfer(msg.sender, address(0), value);
    }
}

/// A token that takes a fee and logs it, so that the logs add up.
contract FeeWithLog is Erc20 {
    address private immutable _collector = msg.sender;

    function transfer(address to, uint256 value) external override returns (bool) {
        uint256 fee = value / 10;
        _debit(msg.sender, value);
        _credit(to, value - fee);
        _credit(_collector, fee);
        emit Transfer(msg.sender, to, value - fee);
        emit Transfer(msg.sender, _collector, fee);
        return true;
    }
}

/// A token that takes a fee, but logs the amount before the fee.
contract FeeWithGrossLog is Erc20 {
    function transfer(address to, uint256 value) external override returns (bool) {
        _debit(msg.sender, value);
        _credit(to, value - value / 10);
        emit Transfer(msg.sender, to, value);
        return true;
    }
}

/// A token that burns a part of each transfer and logs only the rest, such as STA.
contract FeeWithoutLog is Erc20 {
    function transfer(address to, uint256 value) external override returns (bool) {
        _debit(msg.sender, value);
        _credit(to, value - value / 10);
        emit Transfer(msg.sender, to, value - value / 10);
        return true;
    }
}

/// The common part of tokens whose balances are shares times a factor with 18 decimals.
abstract contract Scaled is Erc20 {
    function _factor() internal view virtual returns (uint256);

    function balanceOf(address account) public view override returns (uint256) {
        return (_balances[account] * _factor()) / 1e18;
    }

    function transfer(address to, uint256 value) external virtual override returns (bool) {
        _debit(msg.sender, _shares(value));
        _credit(to, _shares(value));
        emit Transfer(msg.sender, to, value);
        return true;
    }

    function mint(address to, uint256 value) external override {
        totalSupply += _shares(value);
        _credit(to, _shares(value));
        emit Transfer(address(0), to, value);
    }

    function burn(uint256 value) external override {
        totalSupply -= _shares(value);
        _debit(msg.sender, _shares(value));
        emit Transfer(msg.sender, address(0), value);
    }

    function _shares(uint256 value) internal view returns (uint256) {
        return (value * 1e18) / _factor();
    }
}

/// A token that rebases with the pooled assets, such as stETH: balances grow, and only the pool is logged.
contract Shares is Scaled {
    uint256 private _pool = 1e18;
    event PoolChanged(uint256 pool);

    function _factor() internal view override returns (uint256) {
        return _pool;
    }

    function act(address, uint256 value) external override {
        _pool = (_pool * (1_000 + (value % 20))) / 1_000;
        emit PoolChanged(_pool);
    }
}

/// A token that rebases up and down without any log, such as AMPL.
contract Multiplied is Scaled {
    uint256 private _multiplier = 1e18;

    function _factor() internal view override returns (uint256) {
        return _multiplier;
    }

    function act(address, uint256 value) external override {
        _multiplier = (_multiplier * (900 + (value % 200))) / 1_000;
    }
}

/// A token whose balances grow with time, without a transaction, such as aAVAX.
contract Interest is Scaled {
    uint256 private immutable _start = block.timestamp;

    function _factor() internal view override returns (uint256) {
        return 1e18 + (block.timestamp - _start) * 1e15;
    }
}

/// A token that distributes a part of each transfer among all holders, such as SafeMoon.
contract Reflection is Scaled {
    uint256 private _rate = 1e18;

    function _factor() internal view override returns (uint256) {
        return _rate;
    }

    function transfer(address to, uint256 value) external override returns (bool) {
        uint256 fee = _shares(value / 20);
        _debit(msg.sender, _shares(value));
        _credit(to, _shares(value) - fee);
        totalSupply -= fee;
        if (totalSupply > 0) _rate += (_rate * fee) / totalSupply;
        emit Transfer(msg.sender, to, value - value / 20);
        return true;
    }
}

/// The common part of tokens that log transfers in another layout.
abstract contract OtherLog {
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;

    function _log(address from, address to, uint256 value) internal virtual;

    function transfer(address to, uint256 value) external returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        _log(msg.sender, to, value);
        return true;
    }

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
        totalSupply += value;
        _log(address(0), to, value);
    }

    function burn(uint256 value) external {
        balanceOf[msg.sender] -= value;
        totalSupply -= value;
        _log(msg.sender, address(0), value);
    }
}

/// A token whose `Transfer` has no indexed field, such as early tokens of 2016.
contract Unindexed is OtherLog {
    event Transfer(address from, address to, uint256 value);

    function _log(address from, address to, uint256 value) internal override {
        emit Transfer(from, to, value);
    }
}

/// A token whose `Transfer` has one indexed field.
contract OneIndexed is OtherLog {
    event Transfer(address indexed from, address to, uint256 value);

    function _log(address from, address to, uint256 value) internal override {
        emit Transfer(from, to, value);
    }
}

/// A token with the `Mint` and `Burn` events of DSToken, such as MKR: no `Transfer` when the supply changes.
contract MintAndBurnLog is Erc20 {
    event Mint(address indexed to, uint256 value);
    event Burn(address indexed from, uint256 value);

    function mint(address to, uint256 value) external override {
        _credit(to, value);
        totalSupply += value;
        emit Mint(to, value);
    }

    function burn(uint256 value) external override {
        _debit(msg.sender, value);
        totalSupply -= value;
        emit Burn(msg.sender, value);
    }
}

/// A token whose constructor mints without a log, as many do.
contract ConstructorMint is Erc20 {
    constructor() {
        _credit(msg.sender, 1_000_000);
        totalSupply = 1_000_000;
    }
}

/// A scam token that logs larger amounts than it moves.
contract FakeAmounts is Erc20 {
    function transfer(address to, uint256 value) external override returns (bool) {
        _debit(msg.sender, value);
        _credit(to, value);
        emit Transfer(msg.sender, to, value * 1_000);
        return true;
    }
}

/// A contract that logs transfers to advertise itself, and has no balances.
contract LogSpam {
    event Transfer(address indexed from, address indexed to, uint256 value);

    function transfer(address to, uint256 value) external {
        emit Transfer(msg.sender, to, value);
    }

    function mint(address to, uint256 value) external {
        emit Transfer(address(0), to, value);
    }
}

/// A token whose `balanceOf` reverts.
contract Reverting is Erc20 {
    function balanceOf(address) external pure override returns (uint256) {
        revert("balances are private");
    }
}

/// A token whose `balanceOf` uses all gas.
contract GasBurning is Erc20 {
    function balanceOf(address) external pure override returns (uint256) {
        while (true) {}
        return 0;
    }
}

/// A token whose `balanceOf` returns a megabyte.
contract Megabyte is Erc20 {
    function balanceOf(address) external pure override returns (uint256) {
        assembly {
            return(0, 1000000)
        }
    }
}

/// A contract with a fallback function and no `balanceOf`: it returns nothing.
contract EmptyAnswer {
    event Transfer(address indexed from, address indexed to, uint256 value);

    fallback() external {}

    function transfer(address to, uint256 value) external {
        emit Transfer(msg.sender, to, value);
    }

    function mint(address to, uint256 value) external {
        emit Transfer(address(0), to, value);
    }
}

/// A token whose `balanceOf` returns less than a word.
contract ShortAnswer is Erc20 {
    function balanceOf(address account) external view override returns (uint256) {
        uint256 held = _balances[account];
        assembly {
            mstore(0, held)
            return(1, 31)
        }
    }
}

/// A token that tells contracts larger balances than accounts.
contract LiesToContracts is Erc20 {
    function balanceOf(address account) external view override returns (uint256) {
        return _balances[account] + (msg.sender.code.length > 0 ? 1 : 0);
    }
}

/// A token that tells another balance if the call has little gas.
contract LiesByGas is Erc20 {
    function balanceOf(address account) external view override returns (uint256) {
        return _balances[account] + (gasleft() < 2_000_000 ? 1 : 0);
    }
}

/// A token whose balances depend on the block's number.
contract LiesByBlock is Erc20 {
    function balanceOf(address account) external view override returns (uint256) {
        return _balances[account] + (block.number % 2);
    }
}

/// A token whose owner confiscates balances without a log.
contract Confiscated is Erc20 {
    function act(address who, uint256) external override {
        _balances[who] = 0;
    }
}

/// A token that is given away without a log.
contract SilentAirdrop is Erc20 {
    function act(address who, uint256 value) external override {
        _credit(who, value);
        _credit(msg.sender, value);
    }
}

/// A token for the native currency itself, such as CELO: the balances also change with payments and gas.
contract NativeAlias is Erc20 {
    function balanceOf(address account) external view override returns (uint256) {
        return account.balance;
    }
}

/// A proxy (ERC-1967). `act` replaces the implementation: initially it may be the zero address, which makes it a proxy
/// that is initialised late.
contract Proxy {
    bytes32 private constant SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
    address private immutable _second;
    event Upgraded(address indexed implementation);

    constructor(address first, address second) {
        _second = second;
        _set(first);
    }

    function act(address, uint256) external {
        _set(_second);
        emit Upgraded(_second);
    }

    fallback() external payable {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), sload(SLOT), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if done {
                return(0, returndatasize())
            }
            revert(0, returndatasize())
        }
    }

    function _set(address implementation) private {
        assembly {
            sstore(SLOT, implementation)
        }
    }
}

/// A token that can be destroyed.
contract Mortal is Erc20 {
    function act(address, uint256) external override {
        selfdestruct(payable(msg.sender));
    }
}

/// Creates a token at the same address again and again. `act` destroys the token, or creates it if it is destroyed.
contract Recreator {
    Mortal public immutable token;

    constructor() {
        token = new Mortal{salt: 0}();
    }

    function act(address who, uint256 value) external {
        if (address(token).code.length > 0) token.act(who, value);
        else new Mortal{salt: 0}();
    }
}

/// The common part of the ERC-721 tokens. There are 24 ids, and anyone can move them.
abstract contract Erc721 {
    mapping(uint256 => address) public ownerOf;
    mapping(address => uint256) public balanceOf;

    function _log(address from, address to, uint256 id) internal virtual;

    function supportsInterface(bytes4 id) external pure virtual returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd;
    }

    function transfer(address to, uint256 value) external {
        uint256 id = value % 24;
        require(ownerOf[id] != address(0));
        _move(ownerOf[id], to, id);
    }

    function mint(address to, uint256 value) external {
        uint256 id = value % 24;
        require(ownerOf[id] == address(0));
        _move(address(0), to, id);
    }

    function _move(address from, address to, uint256 id) internal {
        if (from != address(0)) balanceOf[from]--;
        if (to != address(0)) balanceOf[to]++;
        ownerOf[id] = to;
        _log(from, to, id);
    }
}

/// A plain ERC-721 token.
contract Collectible is Erc721 {
    event Transfer(address indexed from, address indexed to, uint256 indexed id);

    function _log(address from, address to, uint256 id) internal override {
        emit Transfer(from, to, id);
    }
}

/// An ERC-721 token that can be burned and minted again, and counts its tokens.
contract BurnableCollectible is Collectible {
    function burn(uint256 value) external {
        uint256 id = value % 24;
        require(ownerOf[id] != address(0));
        _move(ownerOf[id], address(0), id);
    }

    function totalSupply() external view returns (uint256 supply) {
        for (uint256 id = 0; id < 24; id++) if (ownerOf[id] != address(0)) supply++;
    }
}

/// Collectibles from before ERC-721, whose `Transfer` has no indexed field, such as CryptoKitties.
/// They say that they implement a draft of ERC-721, and count their tokens as ERC-20 tokens do.
contract Kitties is Erc721 {
    event Transfer(address from, address to, uint256 id);

    function supportsInterface(bytes4 id) external pure override returns (bool) {
        return id == 0x01ffc9a7 || id == 0x9a20483d;
    }

    function totalSupply() external view returns (uint256 supply) {
        for (uint256 id = 0; id < 24; id++) if (ownerOf[id] != address(0)) supply++;
    }

    function _log(address from, address to, uint256 id) internal override {
        emit Transfer(from, to, id);
    }
}

/// Collectibles that log the id where an ERC-20 token logs the amount.
contract CollectibleWithErc20Log is Erc721 {
    event Transfer(address indexed from, address indexed to, uint256 id);

    function _log(address from, address to, uint256 id) internal override {
        emit Transfer(from, to, id);
    }
}

/// An ERC-721 token that mints ranges of ids with one log (ERC-2309).
contract Consecutive is Collectible {
    uint256 private _next = 24;
    event ConsecutiveTransfer(uint256 indexed fromId, uint256 toId, address indexed from, address indexed to);

    constructor() {
        _range(msg.sender, 10);
    }

    function act(address who, uint256 value) external {
        _range(who, 1 + (value % 5));
    }

    function _range(address to, uint256 count) private {
        for (uint256 i = 0; i < count; i++) ownerOf[_next + i] = to;
        balanceOf[to] += count;
        emit ConsecutiveTransfer(_next, _next + count - 1, address(0), to);
        _next += count;
    }
}

/// A plain ERC-1155 token with three ids. `act` transfers two of them in one batch.
contract Items {
    mapping(address => mapping(uint256 => uint256)) internal _balances;
    event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value);
    event TransferBatch(
        address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values
    );

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0xd9b67a26;
    }

    function balanceOf(address account, uint256 id) external view returns (uint256) {
        return _balances[account][id];
    }

    function transfer(address to, uint256 value) external {
        _balances[msg.sender][value % 3] -= value;
        _balances[to][value % 3] += value;
        emit TransferSingle(msg.sender, msg.sender, to, value % 3, value);
    }

    function mint(address to, uint256 value) external {
        _balances[to][value % 3] += value;
        emit TransferSingle(msg.sender, address(0), to, value % 3, value);
    }

    function burn(uint256 value) external {
        _balances[msg.sender][value % 3] -= value;
        emit TransferSingle(msg.sender, msg.sender, address(0), value % 3, value);
    }

    function act(address who, uint256 value) external virtual {
        uint256[] memory ids = new uint256[](2);
        uint256[] memory values = new uint256[](2);
        for (uint256 i = 0; i < 2; i++) {
            (ids[i], values[i]) = ((value + i) % 3, value);
            _balances[msg.sender][ids[i]] -= value;
            _balances[who][ids[i]] += value;
        }
        emit TransferBatch(msg.sender, msg.sender, who, ids, values);
    }
}

/// An ERC-1155 token whose constructor mints without a log.
contract ConstructorItems is Items {
    constructor() {
        for (uint256 id = 0; id < 3; id++) _balances[msg.sender][id] = 1_000_000;
    }
}

/// An ERC-1155 token whose owner confiscates without a log.
contract ConfiscatedItems is Items {
    function act(address who, uint256 value) external override {
        _balances[who][value % 3] = 0;
    }
}
