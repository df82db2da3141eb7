"""The demo's mailbox: e-mails written to files and shown as pages."""
