// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// An ERC-20 token whose owner mints.
contract Token {
    string public name;
    string public symbol;
    uint8 public immutable decimals;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(string memory name_, string memory symbol_, uint8 decimals_) {
        name = name_;
        symbol = symbol_;
        decimals = decimals_;
    }

    function mint(address to, uint256 value) external {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        return _move(msg.sender, to, value);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        return _move(from, to, value);
    }

    function _move(address from, address to, uint256 value) private returns (bool) {
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        return true;
    }
}

/// An ERC-721 collection with its metadata and pictures in `data:` URIs.
contract Collectible {
    string public constant name = "Demo Collectible";
    string public constant symbol = "DEMO";
    mapping(uint256 => address) public ownerOf;
    mapping(address => uint256) public balanceOf;
    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd || id == 0x5b5e139f;
    }

    function mint(address to, uint256 tokenId) external {
        require(ownerOf[tokenId] == address(0), "taken");
        ownerOf[tokenId] = to;
        balanceOf[to] += 1;
        emit Transfer(address(0), to, tokenId);
    }

    function transferFrom(address from, address to, uint256 tokenId) external {
        require(ownerOf[tokenId] == from && msg.sender == from, "not the owner");
        ownerOf[tokenId] = to;
        balanceOf[from] -= 1;
        balanceOf[to] += 1;
        emit Transfer(from, to, tokenId);
    }

    function tokenURI(uint256 tokenId) external view returns (string memory) {
        require(ownerOf[tokenId] != address(0), "no such token");
        return string.concat(
            'data:application/json,{"name":"Demo ',
            _text(tokenId),
            '","description":"A token of the demo","image":"data:image/gif;base64,',
            _base64(_picture(tokenId)),
            '"}'
        );
    }

    /// A symmetric pattern of 8 by 8 pixels in two colours, as GIF. With codes of 8 bits, each pixel is a byte.
    function _picture(uint256 tokenId) private pure returns (bytes memory) {
        uint256 random = uint256(keccak256(abi.encode(tokenId)));
        bytes memory pixels = new bytes(64);
        for (uint256 i = 0; i < 64; i++) {
            uint256 x = i % 8 < 4 ? i % 8 : 7 - (i % 8);
            pixels[i] = bytes1(uint8((random >> ((i / 8) * 4 + x)) & 1));
        }
        bytes3 colour = bytes3(uint24((random >> 32) & 0x7f7f7f));
        return abi.encodePacked(
            hex"47494638396108000800f00000eef1f6", colour, hex"2c00000000080008000007", hex"4280", pixels, hex"81003b"
        );
    }

    /// Encodes bytes whose number is a multiple of 3.
    function _base64(bytes memory data) private pure returns (string memory) {
        bytes memory digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        bytes memory text = new bytes((data.length / 3) * 4);
        for (uint256 i = 0; i < text.length; i++) {
            uint256 at = (i / 4) * 3;
            uint256 group =
                (uint256(uint8(data[at])) << 16) | (uint256(uint8(data[at + 1])) << 8) | uint8(data[at + 2]);
            text[i] = digits[(group >> (6 * (3 - (i % 4)))) & 0x3f];
        }
        return string(text);
    }

    function _text(uint256 value) private pure returns (string memory) {
        if (value < 10) return string(abi.encodePacked(bytes1(uint8(48 + value))));
        return string.concat(_text(value / 10), _text(value % 10));
    }
}

/// An ERC-1155 contract.
contract Items {
    mapping(address => mapping(uint256 => uint256)) public balances;
    event TransferSingle(
        address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value
    );
    event TransferBatch(
        address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values
    );

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0xd9b67a26 || id == 0x0e89341c;
    }

    function uri(uint256) external pure returns (string memory) {
        return 'data:application/json,{"name":"Demo item","decimals":0}';
    }

    function balanceOf(address owner, uint256 id) external view returns (uint256) {
        return balances[owner][id];
    }

    function mint(address to, uint256 id, uint256 value) external {
        balances[to][id] += value;
        emit TransferSingle(msg.sender, address(0), to, id, value);
    }

    function safeBatchTransferFrom(
        address from, address to, uint256[] calldata ids, uint256[] calldata values, bytes calldata
    ) external {
        require(msg.sender == from && ids.length == values.length, "refused");
        for (uint256 i = 0; i < ids.length; i++) {
            balances[from][ids[i]] -= values[i];
            balances[to][ids[i]] += values[i];
        }
        emit TransferBatch(msg.sender, from, to, ids, values);
    }
}

/// What a factory makes.
contract Child {
    uint256 public immutable number;

    constructor(uint256 number_) payable {
        number = number_;
    }
}

/// Creates contracts by CREATE and by CREATE2, and passes value on to the first.
contract Factory {
    function create(uint256 number) external payable {
        new Child{value: msg.value}(number);
        new Child{salt: bytes32(number)}(number);
    }
}
