"""Commands of play by mail: games/notifications names them in e-mails, games/mail parses them.

They are in `lib` because neither of the two imports the other.
"""

# Each row: the command in English, German, French and Traditional Chinese, as e-mails name it; then
# other accepted spellings: Simplified Chinese, and without umlauts or accents, which some keyboards
# lack.
ROWS = (
    "resign aufgeben abandonner 認輸 认输",
    "draw remis nulle 提和",
    "accept annehmen accepter 接受",
    "decline ablehnen refuser 婉拒",
    "yes ja oui 是",
    "no nein non 否",
    "board brett plateau 棋盤 棋盘",
    "moves züge coups 棋步 zuege zuge",
    "rules regeln règles 規則 规则 regles",
    "help hilfe aide 說明 说明",
    "matches partien parties 對局 对局",
    "random zufällig hasard 隨機 随机 zufaellig zufallig",
    "keep behalten garder 保留",
    "rematch revanche revanche 再戰 再战",
    "abort abbrechen annuler 取消",
    "tournaments turniere tournois 錦標賽 锦标赛",
    "plan plan plan 計畫 計劃 计划",
    "forget vergessen oublier 忘記 忘记",  # deletes the plan
    "wait warten attendre 等待",  # a number of days follows
    "say sag dis 說 说 sage",  # words to the opponent follow
    "note notiz note 筆記 笔记",  # a private note follows
    "claim beanspruchen réclamer 宣告獲勝 宣告获胜 reclamer",
    "next weiter suivant 下一個 下一个 nächste naechste suivante",
    "lobby lobby salon 大廳 大厅",
    "withdraw zurückziehen retirer 撤回 zurueckziehen",
    "undo zurücknehmen undo 悔棋 takeback zuruecknehmen rückgängig",  # is never carried out
    "play spiele joue 對弈 对弈 spielen jouer",
    "seat platz place 座位",
    "challenge fordere défie 挑戰 挑战",
    "ladder rangliste échelle 天梯 排名榜 leiter echelle classement",
    "join mitmachen rejoindre 加入",
    "enter anmelden inscrire 報名 报名",  # the number of a tournament follows
    "leave verlassen quitter 退出",
)
WORDS = {row.split()[0]: row.split() for row in ROWS}
