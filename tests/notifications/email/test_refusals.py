"""Who has caused a refusal, with answers of real mail servers and providers."""

import re

import pytest

from games.notifications.email.sending import smtp_refusals
from games.notifications.email.sending.smtp_refusals import Fault, Stage, judge, judge_report

RCPT, DATA = Stage.RCPT, Stage.DATA
BOB = "<bob@example.org>"


def classified(stage: Stage, answer: str) -> tuple[Fault, str]:
    """How an answer is classified, given the bytes that smtplib reads."""
    lines = [line.encode() for line in answer.split("\n")]
    return judge(stage, int(lines[0][:3]), b"\n".join(line[4:].strip() for line in lines))


NO_SUCH_MAILBOX = [
    # Postfix
    f"550 5.1.1 {BOB}: Recipient address rejected: User unknown in local recipient table",
    f"550 5.1.1 {BOB}: Recipient address rejected: User unknown in relay recipient table",
    f"550 5.1.1 {BOB}: Recipient address rejected: User unknown in virtual alias table",
    f"550 5.1.1 {BOB}: Recipient address rejected: undeliverable address: host "
    "relay.example.org[192.5.7.8] said: 550 5.1.1 User unknown (in reply to RCPT TO command)",
    "550 5.1.2 <bob@nowhere.example>: Recipient address rejected: Domain not found",
    # Sendmail
    f"550 5.1.1 {BOB}... User unknown",
    "550 5.1.2 Host unknown (Name server: nowhere.example: host not found)",
    # Gmail
    "550-5.1.1 The email account that you tried to reach does not exist. Please try\n"
    "550-5.1.1 double-checking the recipient's email address for typos or\n"
    "550-5.1.1 unnecessary spaces. For more information, go to\n"
    "550 5.1.1  https://support.google.com/mail/?p=NoSuchUser 5si1234567wrx.89 - gsmtp",
    # Exchange and Microsoft 365
    "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup",
    "550 5.1.1 RESOLVER.ADR.RecipNotFound; not found",
    "550 5.1.1 Recipient address rejected: Access denied. [AM0.prod.protection.outlook.com]",
    # Others
    "550 5.1.1 <bob@icloud.com>: user does not exist",
    f"550 5.1.1 {BOB}: Email address could not be found, or was misspelled (G8)",
    "550 #5.1.0 Address rejected.",
    "511 sorry, no mailbox here by that name (#5.1.1 - chkuser)",
    "550 sorry, no mailbox here by that name. (#5.1.1)",
    "550 5.1.1 Adresse d au moins un destinataire invalide. Invalid recipient. OFR_416 [416]",
    "550 5.1.6 recipient no longer on server: bob@example.org",
    "556 5.1.10 Recipient address has null MX",
    "553 5.1.3 Bad recipient address syntax",
    "550 [550 5.1.1 No such user]",
    f"550 {BOB} 5.1.1 unknown or illegal alias",
    # The quoted temporary failure is not the reason.
    f"550-Verification failed for {BOB}\n"
    "550-Previous answer: 450 4.7.1 Greylisted\n"
    "550 5.1.1 Recipient verify failed",
    # Names that contain a word of the rules.
    "550 5.1.1 <spam@relay.blacklist.example>: Recipient address rejected: User unknown",
    "550 5.1.1 mx1.relay.example.org: no such user",
]
MAILBOX_TAKES_NOTHING = [
    "550-5.2.1 The email account that you tried to reach is disabled. Learn more at\n"
    "550 5.2.1  https://support.google.com/mail/?p=DisabledUser 12-20si1234567.1 - gsmtp",
    "552-5.2.2 The recipient's inbox is out of storage space and inactive. Please direct the\n"
    "552-5.2.2 recipient to\n"
    "552 5.2.2 https://support.google.com/mail/?p=OverQuotaPerm 4-20si123.1 - gsmtp",
    "552 5.2.2 <bob@icloud.com>: user is over quota",
    "550 5.2.2 STOREDRV.Deliver: mailbox full. The following information should help identify the "
    'cause: "MapiExceptionShutoffQuotaExceeded:16.55847:BC000000"',
    "550 5.2.3 RESOLVER.RST.RecipSizeLimit; message too large for this recipient",
    "554 5.2.1 Mailbox blocked",
    "550 5.1.1 552 5.2.2 Over quota",  # both blame the mailbox, so the milder counts
    "550 5.0.0 <bob@example.org>... User unknown",
    "550 5.0.0 Requested action not taken: mailbox unavailable",
]
WITHOUT_A_CODE_AT_RCPT = [
    "550 No Such User Here",
    "550 Unknown user",
    "550 Unrouteable address",
    "550 Requested action not taken: mailbox unavailable",
    "550-Requested action not taken: mailbox unavailable\n"
    "550 For explanation visit https://postmaster.gmx.net/en/error-messages?ip=203.0.113.7&c=rcpt",
    "550 User not found: bob@163.com",
    "550 Message was not accepted -- invalid mailbox.  Local mailbox bob@mail.ru is unavailable: "
    "user not found",
    "550 Invalid Recipient - https://community.mimecast.com/docs/DOC-1369#550 [x7Yv.uk42]",
    "550 RCPT TO:<bob@t-online.example> User unknown",
    "551 User not local; please try <bob@example.net>",
    "551 not our customer",
    "552 Requested mail action aborted: exceeded storage allocation",
    "552 1 Requested mail action aborted, mailbox not found",
    "552 Quota violation for bob@example.org",
    "553 Requested action not taken: mailbox name not allowed",
    "550 <spam@policy.example>: unknown",
    "550",
]
FULL_AT_DATA = [
    "552 Mailbox full",
    "552 bob@example.org over quota",
    "552 Requested mail action aborted: exceeded storage allocation",
]
OURS = [
    # Postfix
    f"554 5.7.1 {BOB}: Relay access denied",
    f"550 5.7.1 {BOB}: Recipient address rejected: Access denied",
    f"554 5.7.1 {BOB}: Recipient address rejected: 550 5.1.1 User unknown",
    "553 5.7.1 <b+7.0a@play.example>: Sender address rejected: not owned by user post",
    "550 5.1.8 <b+7.0a@play.example>: Sender address rejected: Domain not found",
    "550 5.1.7 <b+7.0a@play.example>: Sender address rejected: undeliverable address",
    "550 5.1.0 <b+7.0a@play.example>: Sender address rejected: User unknown in relay recipient "
    "table",
    "554 5.7.1 Service unavailable; Client host [203.0.113.7] blocked using zen.spamhaus.org; "
    "https://www.spamhaus.org/query/ip/203.0.113.7",
    "504 5.5.2 <play>: Helo command rejected: need fully-qualified hostname",
    "530 5.7.0 Must issue a STARTTLS command first",
    # Sendmail, qmail, Lotus
    f"550 5.7.1 {BOB}... Relaying denied. Proper authentication required.",
    "553 5.3.0 <b+7.0a@play.example>... Rejected: blocked",
    "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)",
    "554 sorry, invalid MAILFROM for open relay (#5.7.1)",
    "552 sorry, that message size exceeds my databytes limit (#5.3.4)",
    "554 Relay rejected for policy reasons. (#5.7.1)",
    # Gmail
    "550-5.7.26 Your email has been blocked because the sender is unauthenticated.\n"
    "550-5.7.26 Gmail requires all senders to authenticate with either SPF or DKIM.\n"
    "550 5.7.26  https://support.google.com/mail/answer/81126#authentication 5si1.2 - gsmtp",
    "550-5.7.1 [203.0.113.7      12] Our system has detected that this message is likely\n"
    "550 5.7.1 unsolicited mail. https://support.google.com/mail/?p=UnsolicitedMessageError",
    "550-5.4.5 Daily user sending limit exceeded. For more information on Gmail\n"
    "550 5.4.5 sending limits go to https://support.google.com/a/answer/166852 - gsmtp",
    "550 5.7.1 Relaying denied for this address, see https://support.google.com/a/answer/6140680",
    # Exchange and Microsoft 365
    "550 5.7.60 SMTP; Client does not have permissions to send as this sender",
    "554 5.2.252 SendAsDenied; post@example.com not allowed to send as b+7@play.example",
    "554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException; Failed to process "
    "message due to a permanent exception",
    "550 5.1.90 Your message can't be sent because you've reached your daily limit for message "
    "recipients",
    "550 5.2.2 Submission quota exceeded",
    "550 5.1.8 Access denied, bad outbound sender AS(42004)",
    "550 5.7.606 Access denied, banned sending IP [203.0.113.7]",
    "550 5.7.708 Service unavailable. Access denied, traffic not accepted from this IP",
    "550 5.7.1 Unable to relay",
    "550 5.4.1 Recipient address rejected: Access denied. AS(201806281)",
    "550 5.5.0 Requested action not taken: mailbox unavailable",
    # Yahoo, AOL, Apple, Comcast, Cox, GoDaddy
    "554 5.7.9 Message not accepted for policy reasons. See https://postmaster.yahooinc.com",
    "553 5.7.2 [TSS09] All messages from 203.0.113.7 will be permanently deferred",
    "553 Mail from 203.0.113.7 not allowed - 5.7.1 [BL23] Connections not accepted from IP "
    "addresses on Spamhaus XBL; see http://postmaster.yahoo.com/errors/550-bl23.html [550]",
    "554 5.7.1 [CS01] Message rejected due to local policy.",
    "550 5.1.0 <b+7.0a@play.example> sender rejected. Refer to Error Codes section",
    f"550 5.1.1 {BOB} - 203.0.113.7 has sent to too many recipients this hour. IB607",
    "550 5.1.0 203.0.113.7 is not allowed to send from play.example per it's SPF Record.",
    "550 5.1.1 We do not relay",
    f"550 5.1.2 {BOB}: Relay access denied",
    # GMX, IONOS, OVH, Orange, T-Online
    "554-Transaction failed\n554-Reject due to policy restrictions.\n"
    "554 For explanation visit https://postmaster.gmx.net/en/error-messages?ip=203.0.113.7&c=hi",
    "554 Transaction failed\n554 Unauthorized sender address.",
    "554 5.7.1 spam detected (OVH_R3)",
    "550 5.7.0 Message considered as spam or virus, rejected",
    # Providers that send for others
    "554 Message rejected: Email address is not verified. The following identities failed the "
    "check in region EU-WEST-1: post@play.example",
    "554 5.7.1 Relaying denied",
    "550 The from address does not match a verified Sender Identity. Mail cannot be sent until "
    "this error is resolved.",
    "550 5.7.1 Relaying not allowed: post@play.example",
    "550 5.7.1 Domain play.example is not allowed to send: Sandbox subdomains are for test "
    "purposes only",
    "550 5.7.0 Your account is suspended, please contact support",
    # Codes that look like others
    "550 5.7.1 rejected by policy, see section 5.1.1 of our rules",
    "550 Rejected by policy 5.7.1, mailbox 5.1.1",
    "550 5.3.4 message too big",
    "550 5.6.11 SMTPSEND.BareLinefeedsAreIllegal; message contains bare linefeeds",
    "550 5.0.0 Access denied",
    "550 5.0.0",
]
OURS_WITHOUT_A_CODE_AT_RCPT = [
    "550 relay not permitted",
    "550-Please turn on SMTP Authentication in your mail client.\n"
    "550 host [203.0.113.7] is not permitted to relay through this server without authentication.",
    "550-Verification failed for <b+7.0a@play.example>\n550-No Such User Here\n"
    "550 Sender verify failed",
    "550 authentication required",
    "550 Administrative prohibition",
    "550 Access denied - Invalid HELO name (See RFC2821 4.1.1.1)",
    "550 JunkMail rejected - host [203.0.113.7]:1234 is in an RBL on rbl.example.net",
    "550 Domain play.example has exceeded the max emails per hour (100/100 (100%)) allowed.",
    "550 SC-001 (BAY004-MC4F3) Unfortunately, messages from 203.0.113.7 weren't sent. Please "
    "contact your Internet service provider since part of their network is on our block list.",
    "550-Requested action not taken: mailbox unavailable\n"
    "550 invalid DNS MX or A/AAAA resource record.",
    "550-Requested mail action not taken: mailbox unavailable\n550 Sender address is not allowed.",
    "550 Envelope blocked - User Entry - https://community.mimecast.com/docs/DOC-1369#550",
    "550 Anti-Spoofing policy - Inbound not allowed - https://community.mimecast.com",
    "550 Ip frequency limited. http://service.mail.qq.com/cgi-bin/help?subtype=1",
    "550 DMARC check failed.",
    "550 Recipient address rejected: Access denied",
    "550 see https://www.spamhaus.org/query/bl?ip=203.0.113.7",
    "551 This server does not relay for you",
    "552 Message size exceeds the limit",
    "552 You have exceeded your sending limit",
    "553 You are trying to use me [mx.example.org] as a relay, but I have not been configured to "
    "let you [203.0.113.7] do this.",
    "553 authentication is required",
    "550 5.7.1",
    "554 delivery error: dd Not allowed",
    "554 No SMTP service here",
    "571 Delivery not authorized, message refused",
    "500 Command unrecognized",
]
OURS_WITHOUT_A_CODE_AT_DATA = [
    "550 No such user here",
    "550 Not here: 5.1.1",
    "550 Message rejected",
    "550 spam detected",
    "552 Message size exceeds the limit",
    "552 Transaction aborted: over quota of your relay",
    "554 Transaction failed",
    "554 delivery error: dd This user doesn't have a yahoo.com account (bob@yahoo.com) [0] - "
    "mta1234.mail.bf1.yahoo.com",
    "554 Refused. You have no reverse DNS entry.",
    "571 Message refused",
]


@pytest.mark.parametrize("stage", [RCPT, DATA])
@pytest.mark.parametrize("answer", NO_SUCH_MAILBOX)
def test_a_missing_mailbox_is_recognized(stage: Stage, answer: str) -> None:
    assert classified(stage, answer)[0] == Fault.ADDRESS


@pytest.mark.parametrize("stage", [RCPT, DATA])
@pytest.mark.parametrize("answer", MAILBOX_TAKES_NOTHING)
def test_a_full_mailbox_is_recognized(stage: Stage, answer: str) -> None:
    assert classified(stage, answer)[0] == Fault.MAILBOX


@pytest.mark.parametrize("answer", WITHOUT_A_CODE_AT_RCPT)
def test_without_a_code_a_refusal_at_rcpt_is_the_mailboxs_fault(answer: str) -> None:
    assert classified(RCPT, answer)[0] == Fault.MAILBOX


@pytest.mark.parametrize("answer", FULL_AT_DATA)
def test_without_a_code_a_full_mailbox_is_recognized_at_data(answer: str) -> None:
    assert classified(DATA, answer) == (Fault.MAILBOX, "552")


@pytest.mark.parametrize("stage", [RCPT, DATA])
@pytest.mark.parametrize("answer", OURS)
def test_faults_of_our_own_are_recognized(stage: Stage, answer: str) -> None:
    fault, code = classified(stage, answer)
    assert fault == Fault.OURS
    assert re.fullmatch(r"5\d\d|5\.\d\.\d{1,3}", code)


@pytest.mark.parametrize("answer", OURS_WITHOUT_A_CODE_AT_RCPT)
def test_without_a_code_words_about_sender_relay_or_policy_make_it_our_fault_at_rcpt(
    answer: str,
) -> None:
    assert classified(RCPT, answer)[0] == Fault.OURS


@pytest.mark.parametrize("answer", OURS_WITHOUT_A_CODE_AT_DATA)
def test_without_a_code_a_refusal_at_data_is_our_fault(answer: str) -> None:
    assert classified(DATA, answer)[0] == Fault.OURS


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("550-5.7.26 unauthenticated\n550 5.7.26 sender", "5.7.26"),
        ("550 5.1.1 No such user", "5.1.1"),
        ("550 5.1.1 No such user, quoting 5.7.1", "5.7.1"),
        ("554 5.7.1 Recipient rejected: 550 5.1.1 User unknown", "5.7.1"),
        ("553 not in rcpthosts (#5.7.1)", "5.7.1"),
        ("554 from [5.7.1.9] by Exim 4.2.1.7 and 185.5.7.1", "554"),
        ("550 5.1.1.9 is no code", "550"),
        ("550 x5.7.1 and 5.7.1x and 5.7.1234 are none either", "550"),
        ("554 5.7.1: refused", "5.7.1"),
    ],
)
def test_the_deciding_code_is_named(answer: str, code: str) -> None:
    assert classified(RCPT, answer)[1] == code


def test_an_unknown_sender_is_not_mistaken_for_an_unknown_mailbox() -> None:
    answer = "550 5.1.0 {}: {} address rejected: User unknown in virtual mailbox table"
    assert classified(RCPT, answer.format(BOB, "Recipient"))[0] == Fault.ADDRESS
    assert classified(RCPT, answer.format("<b+7.0a@play.example>", "Sender"))[0] == Fault.OURS


@pytest.mark.parametrize(
    ("status", "diagnosis", "fault"),
    [
        ("5.1.1", "smtp; 550 5.1.1 User unknown", Fault.ADDRESS),
        ("5.1.1", "", Fault.ADDRESS),
        ("5.2.2", "smtp; 552 5.2.2 Over quota", Fault.MAILBOX),
        ("4.2.2", "smtp; 452 4.2.2 Over quota", Fault.MAILBOX),
        ("5.1.1", "smtp; 552 5.2.2 Over quota", Fault.MAILBOX),
        ("5.7.26", "smtp; 550-5.7.26 unauthenticated", Fault.OURS),
        ("5.7.1", "smtp; 550 User unknown", Fault.OURS),
        ("5.1.8", "smtp; 553 5.1.8 Domain of sender address does not exist", Fault.OURS),
        ("5.1.0", "smtp; 550 5.1.0 Sender address rejected: User unknown", Fault.OURS),
        ("5.1.1", "smtp; 550 5.7.1 blocked", Fault.OURS),
        ("4.4.1", "X-Postfix; connect to mx.example.org: Connection timed out", Fault.OURS),
        # Exim writes 5.0.0 for everything.
        ("5.0.0", "smtp; 550 5.1.1 <bob@example.org>: User unknown", Fault.ADDRESS),
        ("5.0.0", "smtp; 550 No such user", Fault.MAILBOX),
        ("5.0.0", "smtp; 550-5.7.26 unauthenticated", Fault.OURS),
        ("5.0.0", "smtp; 554 Blocked - see https://ipcheck.proofpoint.com/", Fault.OURS),
        ("5.0.0", "", Fault.OURS),
        ("", "550 5.7.1 blocked", Fault.OURS),
        ("", "SMTP error after end of DATA: 550 rejected", Fault.OURS),
        ("", "550 no such user", Fault.MAILBOX),
        ("", "", Fault.MAILBOX),
    ],
)
def test_a_report_is_judged_by_its_status_and_the_answer_of_the_server(
    status: str, diagnosis: str, fault: Fault
) -> None:
    assert judge_report(status.encode(), diagnosis.encode()).fault == fault


def test_only_the_beginning_of_a_long_answer_is_read() -> None:
    filler = b"no such user " * smtp_refusals.MAX_ANSWER_BYTES
    assert judge(RCPT, 550, filler + b"5.7.1").fault == Fault.MAILBOX


@pytest.mark.parametrize("answer", [b"\xff\xfe 5.7.1 \x00", "550 5.7.1 zurückgewiesen".encode()])
def test_answers_that_are_not_ascii_are_classified(answer: bytes) -> None:
    assert judge(RCPT, 550, answer).fault == Fault.OURS
