// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IWarpMessenger, WarpMessage} from "./Warp.sol";

struct Receipt {
    uint256 receivedMessageNonce;
    address relayerRewardAddress;
}

struct Fee {
    address feeTokenAddress;
    uint256 amount;
}

struct Message {
    uint256 messageNonce;
    address originSenderAddress;
    bytes32 destinationBlockchainID;
    address destinationAddress;
    uint256 requiredGasLimit;
    address[] allowedRelayerAddresses;
    Receipt[] receipts;
    bytes message;
}

struct Input {
    bytes32 destinationBlockchainID;
    address destinationAddress;
    Fee feeInfo;
    uint256 requiredGasLimit;
    address[] allowedRelayerAddresses;
    bytes message;
}

/// A messenger with the events and the calls of TeleporterMessenger, but without payments: fees are only counted.
/// It sends to and receives from the messenger with the same address on other chains.
contract Messenger {
    event SendCrossChainMessage(
        bytes32 indexed messageID, bytes32 indexed destinationBlockchainID, Message message, Fee feeInfo
    );
    event AddFeeAmount(bytes32 indexed messageID, Fee updatedFeeInfo);
    event ReceiveCrossChainMessage(
        bytes32 indexed messageID,
        bytes32 indexed sourceBlockchainID,
        address indexed deliverer,
        address rewardRedeemer,
        Message message
    );
    event MessageExecuted(bytes32 indexed messageID, bytes32 indexed sourceBlockchainID);
    event MessageExecutionFailed(bytes32 indexed messageID, bytes32 indexed sourceBlockchainID, Message message);
    event ReceiptReceived(
        bytes32 indexed messageID,
        bytes32 indexed destinationBlockchainID,
        address indexed relayerRewardAddress,
        Fee feeInfo
    );
    event RelayerRewardsRedeemed(address indexed redeemer, address indexed asset, uint256 amount);

    IWarpMessenger private constant WARP = IWarpMessenger(0x0200000000000000000000000000000000000005);
    uint256 private _sent;
    /// Hash of each message that was sent and whose receipt has not arrived.
    mapping(bytes32 => bytes32) private _open;
    mapping(bytes32 => Fee) private _fees;
    mapping(bytes32 => bool) public messageReceived;
    /// Hash of each message that was received, but not executed.
    mapping(bytes32 => bytes32) private _failed;
    /// Receipts for the next message to a chain.
    mapping(bytes32 => Receipt[]) private _receipts;
    mapping(address => mapping(address => uint256)) private _rewards;

    function sendCrossChainMessage(Input calldata input) external returns (bytes32 id) {
        bytes32 destination = input.destinationBlockchainID;
        Message memory message;
        message.messageNonce = ++_sent;
        message.originSenderAddress = msg.sender;
        message.destinationBlockchainID = destination;
        message.destinationAddress = input.destinationAddress;
        message.requiredGasLimit = input.requiredGasLimit;
        message.allowedRelayerAddresses = input.allowedRelayerAddresses;
        message.receipts = _receipts[destination];
        message.message = input.message;
        delete _receipts[destination];
        id = idOf(WARP.getBlockchainID(), destination, message.messageNonce);
        _open[id] = keccak256(abi.encode(message));
        _fees[id] = input.feeInfo;
        _send(id, message);
    }

    function retrySendCrossChainMessage(Message calldata message) external {
        bytes32 id = idOf(WARP.getBlockchainID(), message.destinationBlockchainID, message.messageNonce);
        require(_open[id] == keccak256(abi.encode(message)), "unknown message");
        _send(id, message);
    }

    function addFeeAmount(bytes32 id, address token, uint256 amount) external {
        require(_open[id] != 0 && _fees[id].feeTokenAddress == token, "unknown message or token");
        _fees[id].amount += amount;
        emit AddFeeAmount(id, _fees[id]);
    }

    function receiveCrossChainMessage(uint32 index, address rewardAddress) external {
        (WarpMessage memory warp, bool valid) = WARP.getVerifiedWarpMessage(index);
        require(valid && warp.originSenderAddress == address(this), "not verified, or another sender");
        Message memory message = abi.decode(warp.payload, (Message));
        bytes32 here = WARP.getBlockchainID();
        require(message.destinationBlockchainID == here, "another destination");
        bytes32 id = idOf(warp.sourceChainID, here, message.messageNonce);
        require(!messageReceived[id], "received already");
        messageReceived[id] = true;
        for (uint256 i; i < message.receipts.length; ++i) _mark(here, warp.sourceChainID, message.receipts[i]);
        _receipts[warp.sourceChainID].push(Receipt(message.messageNonce, rewardAddress));
        emit ReceiveCrossChainMessage(id, warp.sourceChainID, msg.sender, rewardAddress, message);
        if (message.message.length == 0) return;
        if (_execute(warp.sourceChainID, message, message.requiredGasLimit)) {
            emit MessageExecuted(id, warp.sourceChainID);
        } else {
            _failed[id] = keccak256(abi.encode(message));
            emit MessageExecutionFailed(id, warp.sourceChainID, message);
        }
    }

    function retryMessageExecution(bytes32 source, Message calldata message) external {
        bytes32 id = idOf(source, WARP.getBlockchainID(), message.messageNonce);
        require(_failed[id] == keccak256(abi.encode(message)), "unknown message");
        delete _failed[id];
        emit MessageExecuted(id, source);
        require(_execute(source, message, gasleft()), "failed again");
    }

    function redeemRelayerRewards(address token) external {
        uint256 amount = _rewards[msg.sender][token];
        require(amount > 0, "nothing to redeem");
        delete _rewards[msg.sender][token];
        emit RelayerRewardsRedeemed(msg.sender, token, amount);
    }

    function idOf(bytes32 source, bytes32 destination, uint256 nonce) public view returns (bytes32) {
        return keccak256(abi.encode(address(this), source, destination, nonce));
    }

    function _send(bytes32 id, Message memory message) private {
        emit SendCrossChainMessage(id, message.destinationBlockchainID, message, _fees[id]);
        WARP.sendWarpMessage(abi.encode(message));
    }

    function _mark(bytes32 here, bytes32 other, Receipt memory receipt) private {
        bytes32 id = idOf(here, other, receipt.receivedMessageNonce);
        if (_open[id] == 0) return;
        delete _open[id];
        Fee memory fee = _fees[id];
        _rewards[receipt.relayerRewardAddress][fee.feeTokenAddress] += fee.amount;
        emit ReceiptReceived(id, other, receipt.relayerRewardAddress, fee);
    }

    function _execute(bytes32 source, Message memory message, uint256 gasLimit) private returns (bool succeeded) {
        if (message.destinationAddress.code.length == 0) return false;
        (succeeded,) = message.destinationAddress.call{gas: gasLimit}(
            abi.encodeCall(Recipient.receiveTeleporterMessage, (source, message.originSenderAddress, message.message))
        );
    }
}

/// Counts messages, unless it is broken.
contract Recipient {
    bool public isBroken;
    uint256 public count;

    function setBroken(bool broken) external {
        isBroken = broken;
    }

    function receiveTeleporterMessage(bytes32, address, bytes calldata) external {
        require(!isBroken, "broken");
        ++count;
    }
}
