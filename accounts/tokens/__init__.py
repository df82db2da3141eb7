"""Personal access tokens for the API: their texts, making, finding, revoking, and e-mails."""
