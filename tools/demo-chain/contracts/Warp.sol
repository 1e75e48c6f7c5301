// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// A message that the chain has verified.
struct WarpMessage {
    bytes32 sourceChainID;
    address originSenderAddress;
    bytes payload;
}

/// The part of the Warp precompile's interface that sends and reads messages.
interface IWarpMessenger {
    event SendWarpMessage(address indexed sender, bytes32 indexed messageID, bytes message);

    function sendWarpMessage(bytes calldata payload) external returns (bytes32 messageID);

    function getVerifiedWarpMessage(uint32 index) external view returns (WarpMessage memory message, bool valid);

    function getBlockchainID() external view returns (bytes32 blockchainID);
}

/// An emulation of the Warp precompile. A real chain implements the precompile natively: it verifies the predicates
/// of a transaction itself. Here, the process in front of the EVM verifies them and writes the results into this
/// contract's storage before it executes the transaction.
contract WarpPrecompile is IWarpMessenger {
    uint32 private _networkID;
    bytes32 private _blockchainID;
    /// The ABI-encoded message and its validity, by index of the predicate in the transaction.
    mapping(uint256 => bytes) private _results;

    function sendWarpMessage(bytes calldata payload) external returns (bytes32 messageID) {
        bytes memory addressedCall = abi.encodePacked(
            uint16(0), uint32(1), uint32(20), msg.sender, uint32(payload.length), payload
        );
        bytes memory message = abi.encodePacked(
            uint16(0), _networkID, _blockchainID, uint32(addressedCall.length), addressedCall
        );
        messageID = sha256(message);
        emit SendWarpMessage(msg.sender, messageID, message);
    }

    function getVerifiedWarpMessage(uint32 index) external view returns (WarpMessage memory message, bool valid) {
        bytes memory result = _results[index];
        if (result.length > 0) (message, valid) = abi.decode(result, (WarpMessage, bool));
    }

    function getBlockchainID() external view returns (bytes32 blockchainID) {
        return _blockchainID;
    }
}

/// Sends texts to the mailbox with the same address on another chain, and receives each text once.
contract Mailbox {
    IWarpMessenger private constant WARP = IWarpMessenger(0x0200000000000000000000000000000000000005);
    /// Number of texts that this mailbox has sent.
    uint256 public sent;
    /// Whether a text was received, by the blockchain id of its sender and its number there.
    mapping(bytes32 => mapping(uint256 => bool)) public received;
    event Received(bytes32 indexed sourceChainID, uint256 indexed number, string text);

    function send(bytes32 destinationChainID, string calldata text) external returns (bytes32 messageID) {
        return WARP.sendWarpMessage(abi.encode(++sent, destinationChainID, text));
    }

    /// Receives the text in the transaction's predicate with the given index.
    function receiveText(uint32 index) external {
        (WarpMessage memory message, bool valid) = WARP.getVerifiedWarpMessage(index);
        require(valid, "the message is not verified");
        require(message.originSenderAddress == address(this), "another sender");
        (uint256 number, bytes32 destinationChainID, string memory text) =
            abi.decode(message.payload, (uint256, bytes32, string));
        require(destinationChainID == WARP.getBlockchainID(), "another destination");
        require(!received[message.sourceChainID][number], "received already");
        received[message.sourceChainID][number] = true;
        emit Received(message.sourceChainID, number, text);
    }
}
